import { fromBase64, toBase64 } from "../../../core/http/base64.ts";
import { joinBytes, utf8Text } from "../../../core/http/bytes.ts";
import { asObject, type JsonObject, type JsonPath, parseJson } from "../../../core/schema/json.ts";

/** A recorded exchange as an entry of an HTTP archive, the form to which all recordings are converted. */
export interface RecordedEntry {
  readonly entry: JsonObject;
  /** The place of the entry in its file. */
  readonly path: JsonPath;
  /** The entry's file, if several are read at once. */
  readonly file?: string;
}

/** Unpacks a body by its content encoding. Undefined: the body is not packed in that way. */
export type Unpack = (bytes: Uint8Array, encoding: string) => Uint8Array | undefined;

/** Reads a file beside the imported one, such as a body. Undefined: there is no such file, or it must not be read. */
export type ReadAttached = (name: string) => Promise<Uint8Array | undefined>;

/** A body in the form of an HTTP archive. */
export interface ArchiveBody {
  readonly text?: string;
  readonly encoding?: "base64";
}

/** Converts a body to the form of an HTTP archive: a text, bytes, or any other value, which becomes JSON. */
export function archiveBody(value: unknown): ArchiveBody {
  if (value === undefined || value === null) return { text: "" };
  if (typeof value === "string") return { text: value };
  if (!(value instanceof Uint8Array)) return { text: JSON.stringify(value) };
  return { text: toBase64(value), encoding: "base64" };
}

/**
 * Converts headers to the form of an HTTP archive. They are given by name, each with one or several values, or as a
 * list of names and values in turn.
 */
export function archiveHeaders(headers: unknown): readonly object[] {
  if (Array.isArray(headers)) {
    return Array.from({ length: Math.floor(headers.length / 2) }, (_, index) => ({
      name: String(headers[index * 2]),
      value: String(headers[index * 2 + 1]),
    }));
  }
  return Object.entries(asObject(headers) ?? {}).flatMap(([name, value]) =>
    [value].flat().map((one) => ({ name, value: String(one) })),
  );
}

/** The entries, with bodies read from files beside the imported one. */
export async function withAttached(
  entries: readonly RecordedEntry[],
  readAttached: ReadAttached,
): Promise<readonly RecordedEntry[]> {
  const all: RecordedEntry[] = [];
  for (const recorded of entries) {
    const { request, response } = recorded.entry;
    const [asked, answer] = [asObject(request), asObject(response)];
    const postData = await attached(asked?.["postData"], readAttached);
    const content = await attached(answer?.["content"], readAttached);
    if (postData === undefined && content === undefined) all.push(recorded);
    else {
      const entry = {
        ...recorded.entry,
        request: postData === undefined ? request : { ...asked, postData },
        response: content === undefined ? response : { ...answer, content },
      };
      all.push({ ...recorded, entry });
    }
  }
  return all;
}

async function attached(body: unknown, readAttached: ReadAttached): Promise<object | undefined> {
  const { _file: file, text } = asObject(body) ?? {};
  if (typeof file !== "string" || typeof text === "string") return undefined;
  const bytes = await readAttached(file);
  const read = bytes === undefined ? { size: 1 } : archiveBody(bytes);
  return { ...asObject(body), ...read };
}

/** The bytes of a body; undefined if the file lacks them. Some tools write the pieces of a packed body as a list. */
export function bodyBytes(
  { text, encoding, size, _isBinary: isHex }: JsonObject,
  packing: string | undefined,
  unpack: Unpack | undefined,
): Uint8Array | undefined {
  if (typeof text !== "string") {
    return typeof size === "number" && size > 0 ? undefined : new Uint8Array();
  }
  const pieces = packing === undefined && isHex !== true ? undefined : piecesIn(text);
  const bytes =
    pieces === undefined
      ? plainBytes(text, encoding, isHex === true)
      : joined(pieces.map((piece) => plainBytes(piece, encoding, encoding !== "base64")));
  if (bytes === undefined || packing === undefined || unpack === undefined) return bytes;
  return utf8Text(bytes) === undefined ? (unpack(bytes, packing) ?? bytes) : bytes;
}

function plainBytes(text: string, encoding: unknown, isHex: boolean): Uint8Array | undefined {
  if (encoding === "base64") return fromBase64(text.replaceAll(/\s/g, ""));
  return isHex && isHexText(text) ? hexBytes(text) : new TextEncoder().encode(text);
}

export function isHexText(text: string): boolean {
  return text.length > 0 && text.length % 2 === 0 && !/[^\da-f]/i.test(text);
}

export function hexBytes(text: string): Uint8Array {
  return Uint8Array.from({ length: text.length / 2 }, (_, index) =>
    Number.parseInt(text.slice(index * 2, index * 2 + 2), 16),
  );
}

function piecesIn(text: string): readonly string[] | undefined {
  if (!text.startsWith("[")) return undefined;
  const value = parseJson(text);
  const isList = Array.isArray(value) && value.every((piece) => typeof piece === "string");
  return isList ? value : undefined;
}

function joined(parts: readonly (Uint8Array | undefined)[]): Uint8Array | undefined {
  return parts.every((part) => part !== undefined) ? joinBytes(parts) : undefined;
}

/** Why an entry has no answer, if its request was aborted. Undefined: it was not. */
export function abortReason({ response, _error: own }: JsonObject): string | undefined {
  const { status, _error: ofAnswer, _failureText: failure } = asObject(response) ?? {};
  const reason = [ofAnswer, failure, own].find(
    (one) => one !== undefined && one !== null && one !== "",
  );
  if (reason !== undefined) {
    return `it was aborted (${typeof reason === "string" ? reason.slice(0, 60) : "an error"})`;
  }
  return status === 0 || status === -1 ? "it got no answer, or was aborted" : undefined;
}
