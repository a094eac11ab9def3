import type { Span } from "./rule-matches.ts";

/** A part of a multipart body, such as a field or a file of a form. The span is that of its content. */
export interface Part extends Span {
  /** The part's name; empty if it has none. */
  readonly name: string;
  readonly filename: string | undefined;
  /** The part's headers by lower-case name, without a disposition that only has the names above. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The parts of a multipart body, in order. Undefined if the text is none. The boundary is read from the first line,
 * since recordings do not have the header that names it.
 */
export function partsIn(text: string): readonly Part[] | undefined {
  const [, boundary] = /^--([^\r\n]{0,69}[^\s])[ \t]*\r\n/.exec(text) ?? [];
  if (boundary === undefined) return undefined;
  const delimiter = `\r\n--${boundary}`;
  const parts: Part[] = [];
  let start = delimiter.length - "\r\n".length;
  while (!text.startsWith("--", start)) {
    const end = text.indexOf(delimiter, start);
    const part = end === -1 ? undefined : readPart(text, { start, end });
    if (part === undefined) return undefined;
    parts.push(part);
    start = end + delimiter.length;
  }
  return /^--(?:\r\n)?$/.test(text.slice(start, start + 5)) ? parts : undefined;
}

/** Reads what is between two boundaries: headers, an empty line, and the content. */
function readPart(text: string, { start, end }: Span): Part | undefined {
  const endOfHead = text.indexOf("\r\n\r\n", start);
  const content = endOfHead + "\r\n\r\n".length;
  if (endOfHead === -1 || content > end) return undefined;
  const [padding = "", ...lines] = text.slice(start, endOfHead).split("\r\n");
  if (padding.trim() !== "") return undefined;
  const headers = new Map<string, string>();
  for (const line of lines) {
    const [, name, value] = /^([!#$%&'*+\-.^_`|~\w]+):(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) return undefined;
    headers.set(name.toLowerCase(), value.trim());
  }
  const disposition = headers.get("content-disposition") ?? "";
  const { name = "", filename } = namesIn(disposition);
  if (hasOnlyNames(disposition)) headers.delete("content-disposition");
  return { name, filename, headers: Object.fromEntries(headers), start: content, end };
}

const nameParameter = /;\s*(filename|name)=(?:"((?:\\"|[^"])*)"|([^\s;"]+))/gi;

function namesIn(disposition: string): { readonly name?: string; readonly filename?: string } {
  return Object.fromEntries(
    Array.from(disposition.matchAll(nameParameter), ([, key = "", quoted, bare]) => [
      key.toLowerCase(),
      bare ?? (quoted ?? "").replaceAll('\\"', '"'),
    ]),
  );
}

function hasOnlyNames(disposition: string): boolean {
  return disposition.replaceAll(nameParameter, "").toLowerCase() === "form-data";
}

/** The type of a multipart body without its boundary, which differs in each request. Any other type stays as it is. */
export function withoutBoundary(contentType: string): string {
  if (!/^\s*multipart\//i.test(contentType)) return contentType;
  return contentType.replaceAll(/;\s*boundary=(?:"[^"]*"|[^;"]*)/gi, "");
}
