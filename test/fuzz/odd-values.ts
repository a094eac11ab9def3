import type { Random } from "./random.ts";

// Texts, JSON values and JSON texts near the edges of those who read them.

export const prototypeNames = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "valueOf",
  "length",
  "__defineGetter__",
  "then",
] as const;

const numbers = [
  "0",
  "-0",
  "1",
  "-1",
  "5",
  "2.5",
  "1e3",
  "1e999",
  "-1e999",
  "1e-999",
  "9007199254740993",
  "9223372036854775807",
  "9223372036854775808",
  "-9223372036854775809",
  "4294967296",
  "0x10",
  "1_0",
  "NaN",
  "Infinity",
  "-",
  "+5",
  ".5",
  "5.",
];

const edges = [
  "",
  " ",
  "\0",
  "\t",
  "\r\n",
  "\u007f",
  "\u0085",
  "\u00a0",
  "\u00ff",
  "é",
  "e\u0301",
  "ß",
  "İ",
  "\u2028",
  "\u200b",
  "\u202e",
  "\ud800",
  "\udfff",
  "\ufeff",
  "\ufffd",
  "\uffff",
  "😀",
  "👨‍👩‍👧",
  "null",
  "true",
  "undefined",
  "'",
  "''",
  '"',
  "`",
  "\\",
  "%",
  "%25",
  "%00",
  "_",
  "*",
  "?",
  "#",
  "&",
  "=",
  ";",
  ",",
  ".",
  "..",
  "/",
  "//",
  "..",
  "--",
  "/*",
  "');DROP TABLE users;--",
  "1 OR 1=1",
  "{{ user }}",
  "{% if %}",
  "${x}",
  "<b>",
  "data: [DONE]",
];

/** A text that some reader may take for something else. */
export function oddText(random: Random): string {
  return random.weighted<() => string>([
    [3, () => random.pick(edges)],
    [2, () => random.pick(numbers)],
    [1, () => random.pick(prototypeNames)],
    [2, () => random.list(random.int(1, 4), () => random.pick(edges)).join("")],
    [2, () => random.list(random.int(0, 8), () => anyCharacter(random)).join("")],
    [0.15, () => random.pick(edges).repeat(random.pick([51, 200, 1_000, 5_000]))],
  ])();
}

function anyCharacter(random: Random): string {
  const most = random.weighted([
    [6, 0x7f],
    [2, 0xff],
    [2, 0xffff],
    [1, 0x10ffff],
  ]);
  return String.fromCodePoint(random.int(0, most));
}

/** A JSON value, not deep. Names of keys are often these. */
export function anyJson(random: Random, keys: readonly string[], depth = 3): unknown {
  const leaf = depth <= 0 || random.chance(0.5);
  if (leaf) {
    return random.weighted<() => unknown>([
      [3, () => oddText(random)],
      [2, () => random.pick(keys)],
      [2, () => random.pick([0, -0, 1, -1, 2, 5, 2.5, 1e21, -1e300, 5e-324, 2 ** 53, 4294967296])],
      [2, () => random.pick([null, true, false])],
      [1, () => random.pick([[], {}, [null], [[]], [{}], ""])],
    ])();
  }
  const inner = (): unknown => anyJson(random, keys, depth - 1);
  if (random.chance(0.4)) return random.list(random.int(0, 4), inner);
  return objectOf(random.list(random.int(0, 4), () => [anyKey(random, keys), inner()]));
}

export function anyKey(random: Random, keys: readonly string[]): string {
  if (random.chance(0.75)) return random.pick(keys);
  return random.chance(0.4) ? random.pick(prototypeNames) : oddText(random);
}

/** An object with keys of its own, `__proto__` included. */
export function objectOf(entries: readonly (readonly [string, unknown])[]): object {
  return Object.fromEntries(entries);
}

/** A value with something in it changed, at any depth: replaced, taken out, added or moved elsewhere. */
export function changedJson(random: Random, value: unknown, keys: readonly string[]): unknown {
  const isDeep = typeof value === "object" && value !== null;
  if (!isDeep || random.chance(0.12))
    return random.chance(0.1) ? [value] : anyJson(random, keys, 2);
  if (Array.isArray(value)) return changedArray(random, value, keys);
  const entries = Object.entries(value);
  if (entries.length === 0 || random.chance(0.15)) {
    return objectOf([...entries, [anyKey(random, keys), anyJson(random, keys, 2)]]);
  }
  const place = random.int(0, entries.length - 1);
  const [key, inner] = entries[place] ?? ["", undefined];
  if (random.chance(0.12)) return objectOf(entries.toSpliced(place, 1));
  if (random.chance(0.1)) return objectOf(entries.with(place, [anyKey(random, keys), inner]));
  return objectOf(entries.with(place, [key, changedJson(random, inner, keys)]));
}

function changedArray(random: Random, list: readonly unknown[], keys: readonly string[]): unknown {
  if (list.length === 0 || random.chance(0.1)) return [...list, anyJson(random, keys, 2)];
  const place = random.int(0, list.length - 1);
  if (random.chance(0.1)) return list.toSpliced(place, 1);
  if (random.chance(0.08)) return [...list, ...random.list(random.int(1, 3), () => list[place])];
  return list.with(place, changedJson(random, list[place], keys));
}

/** A value as JSON text, now and then as no serialiser would write it. */
export function jsonText(random: Random, value: unknown): string {
  const text = JSON.stringify(value) ?? "";
  if (random.chance(0.85)) return text;
  return random.weighted<() => string>([
    [3, () => JSON.stringify(value, undefined, random.pick([1, 2, "\t"])) ?? ""],
    [1, () => `\ufeff${text}`],
    [1, () => `${text}${random.pick([" ", "\n", "\0", "}", "x", ","])}`],
    [1, () => text.replace("}", `,"id":1,"id":2}`)],
    [2, () => text.replace(/\d+/, random.pick(numbers))],
    [1, () => text.replace(/"(?=[a-z])/, '"\\u0000\\ud800')],
    [1, () => nested(random, text)],
    [3, () => changedText(random, text, ["{", "}", "[", "]", ",", ":", '"', "\\", "\\u", "null"])],
  ])();
}

function nested(random: Random, inner: string): string {
  const depth = random.pick([5, 100, 998, 999, 1_000, 1_001, 20_000]);
  const [open, close] = random.pick([
    ["[", "]"],
    ['{"a":', "}"],
  ]);
  return `${open.repeat(depth)}${inner || "1"}${close.repeat(random.chance(0.9) ? depth : depth - 1)}`;
}

/** A text with pieces of it taken out, doubled, moved or replaced by one of these words. */
export function changedText(random: Random, text: string, words: readonly string[]): string {
  let changed = text;
  for (let times = random.int(1, 3); times > 0; times--) {
    const at = random.int(0, changed.length);
    const length = random.chance(0.5) ? random.int(0, 3) : random.int(0, 30);
    const piece = changed.slice(at, at + length);
    const put = random.weighted<() => string>([
      [3, () => random.pick(words)],
      [2, () => ""],
      [1, () => oddText(random)],
      [1, () => piece + piece],
      [1, () => random.pick(words) + piece],
    ])();
    changed = changed.slice(0, at) + put + changed.slice(at + length);
  }
  return changed;
}

/** A text as it may stand in a path or a query: percent-encoded, mostly rightly. */
export function escapedText(random: Random, text: string): string {
  return random.weighted<() => string>([
    [5, () => encoded(text)],
    [2, () => text],
    [1, () => encoded(text).replaceAll("%20", "+").toLowerCase()],
    [1, () => encoded(encoded(text))],
    [
      1,
      () => changedText(random, encoded(text), ["%", "%f", "%ff", "%C3", "%zz", "%00", "+", "%2F"]),
    ],
  ])();
}

function encoded(text: string): string {
  // Lone halves of a character cannot be encoded.
  return encodeURIComponent(text.replaceAll(/\p{Cs}/gu, "\ufffd"));
}
