import type { JournalEntry } from "../../../core/emulator/journal/entry.ts";
import { requestTarget } from "./filter.ts";

/** Headers that curl sends itself, that a browser adds, or that name the session like the URL. */
const leftOut =
  /^(?:host|connection|content-length|accept-encoding|accept-language|user-agent|origin|referer|cache-control|pragma|dnt|priority|te|transfer-encoding|authorization|x-backlot-.*|sec-.*|.*cookie)$/;

/** What a curl line needs besides the journal's entry. */
export interface CurlSetting {
  /** The server's URL and the session's prefix, such as `http://127.0.0.1:<port>/@test-7`. */
  readonly root: string;
  /** The key to send, since the journal hides it. Null: none is needed. */
  readonly key: string | null;
}

/** A shell command that sends a request again. */
export function curlOf(
  entry: Pick<JournalEntry, "method" | "path" | "query" | "headers" | "body">,
  { root, key }: CurlSetting,
): string {
  const { method, headers, body } = entry;
  const hadKey = Object.hasOwn(headers, "authorization");
  const shown = Object.entries(headers).filter(
    ([name, value]) => !leftOut.test(name) && value !== "*/*" && !value.includes("***"),
  );
  const sent: readonly (readonly [string, string])[] =
    hadKey && key !== null ? [["authorization", `Bearer ${key}`], ...shown] : shown;
  const hasBody = body !== null && body !== undefined && body !== "";
  return [
    "curl -sN",
    ...methodOption(method, hasBody),
    quoted(root + requestTarget(entry)),
    ...sent.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(hasBody ? [`--data-raw ${quoted(bodyText(body))}`] : []),
  ].join(" ");
}

/** Leaves out what is the default. */
function methodOption(method: string, hasBody: boolean): readonly string[] {
  if (method === "HEAD") return ["-I"];
  return method === (hasBody ? "POST" : "GET") ? [] : [`-X ${quoted(method)}`];
}

function bodyText(body: unknown): string {
  return typeof body === "string" ? body : JSON.stringify(body);
}

/** A word for a POSIX shell. */
function quoted(text: string): string {
  return /^[\w./:=@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
