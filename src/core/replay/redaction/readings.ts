/** A text as somebody reads it who decodes it. */
export interface Reading {
  readonly text: string;
  /** What it was decoded from, and how. Undefined: nothing was. */
  readonly decoded?: { readonly from: Reading; readonly by: Decoding };
}

/** What stands for something else, and for what. */
interface Decoding {
  /** A character that each has. */
  readonly mark: string;
  readonly pattern: RegExp;
  readonly decode: (found: string) => string;
}

/** How often a text is decoded: JSON in a string of JSON, in a URL that is a parameter of another. */
const deepest = 5;

const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

const escaped: Decoding = {
  mark: "\\",
  pattern: /\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))/g,
  decode: (found) =>
    found[1] === "u"
      ? String.fromCharCode(Number.parseInt(found.slice(2), 16))
      : (escapes[found[1] ?? ""] ?? found),
};

const percentEncoded: Decoding = { mark: "%", pattern: /(?:%[0-9a-fA-F]{2})+/g, decode: bytesText };

/** Within base64 only: elsewhere nobody takes the ends of lines out. */
const inLines: Decoding = {
  mark: "\n",
  // What stands before is looked at last: at each character it would take some times as long.
  pattern: /\r?\n(?=[\w+/-])(?<=[\w+/-]{16}\r?\n)/g,
  decode: () => "",
};

/** A text as it is, without escapes of JSON, without percent encoding, and without both, however often. */
export function readingsOf(text: string): readonly Reading[] {
  if (!/[\\%\n]/.test(text)) return [{ text }];
  const readings: Reading[] = [{ text }];
  const seen = new Set([text]);
  for (let level = 0, from = 0; level < deepest; level++) {
    const last = readings.length;
    for (const reading of readings.slice(from)) {
      for (const decoding of [escaped, percentEncoded]) {
        const next = readingBy(decoding, reading);
        if (next === undefined || seen.has(next.text)) continue;
        seen.add(next.text);
        readings.push(next);
      }
    }
    if (readings.length === last) break;
    from = last;
  }
  const unwrapped = readings.map((reading) => readingBy(inLines, reading));
  return [...readings, ...unwrapped.filter((reading) => reading !== undefined)];
}

function readingBy(by: Decoding, from: Reading): Reading | undefined {
  if (!from.text.includes(by.mark)) return undefined;
  const text = from.text.replaceAll(by.pattern, (found) => by.decode(found));
  return text === from.text ? undefined : { text, decoded: { from, by } };
}

/** Where in the first text each character of a reading came from; one more than there are characters. */
export function originsOf({ decoded }: Reading): Uint32Array | undefined {
  if (decoded === undefined) return undefined;
  const { from, by } = decoded;
  const before = originsOf(from);
  const places: number[] = [];
  let end = 0;
  for (const { index, 0: found } of from.text.matchAll(by.pattern)) {
    for (let at = end; at < index; at++) places.push(at);
    pushPlaces(places, by.decode(found), { found, index });
    end = index + found.length;
  }
  for (let at = end; at <= from.text.length; at++) places.push(at);
  return Uint32Array.from(places, (at) => (before === undefined ? at : (before[at] ?? 0)));
}

/** The characters of percent-encoded bytes; what is no UTF-8 becomes a character for each byte. */
function bytesText(found: string): string {
  try {
    return decodeURIComponent(found);
  } catch {
    return found.replaceAll(/%(..)/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  }
}

/** Of percent-encoded characters each has its own bytes. */
function pushPlaces(
  places: number[],
  characters: string,
  { found, index }: { readonly found: string; readonly index: number },
): void {
  let at = index;
  const exact = found.startsWith("%") && found.length > 3;
  for (const character of exact ? characters : [characters]) {
    for (let unit = 0; unit < character.length; unit++) places.push(at);
    at += exact ? 3 * byteLength(character, found.length / 3 === characters.length) : 0;
  }
}

function byteLength(character: string, isOneByteEach: boolean): number {
  const code = character.codePointAt(0) ?? 0;
  if (isOneByteEach || code < 0x80) return 1;
  return code < 0x800 ? 2 : code < 0x1_00_00 ? 3 : 4;
}
