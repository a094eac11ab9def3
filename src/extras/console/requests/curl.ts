import type { JournalEntry } from "../../../core/emulator/journal/entry.ts";
import { requestTarget } from "./summary.ts";

/** What the journal shows in place of a key. */
const hiddenKey = "***";

/** Headers that a client sends itself, that a browser adds, or that name the session like the URL. */
const leftOut =
  /^(?:host|connection|content-length|accept-encoding|accept-language|user-agent|origin|referer|cache-control|pragma|dnt|priority|te|transfer-encoding|x-backlot-.*|sec-.*|.*cookie)$/;

/** What is needed to send a request again, besides its entry in the journal. */
export interface CurlSetting {
  /** The server's URL and the session's prefix, such as `http://127.0.0.1:<port>/@test-7`. */
  readonly root: string;
  /** The key to send, since the journal hides it. Null: no key is needed. */
  readonly key: string | null;
}

type Asked = Pick<JournalEntry, "method" | "path" | "query" | "headers" | "body"> &
  Partial<Pick<JournalEntry, "keyProblem" | "bodyText">>;

/** A request that is to be sent again. */
export interface RepeatedRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined: none. */
  readonly body: string | undefined;
}

/** Stands for a key that was refused: the journal hides it, and any other that is wrong gets the same answer. */
const wrongKey = "wrong-key";

/**
 * The request to send again, without the headers that a client adds itself. Where the journal hides a key, it has the
 * server's, or a wrong one if that was refused.
 */
export function repeatedRequest(entry: Asked, { root, key }: CurlSetting): RepeatedRequest {
  const { method, headers, keyProblem = null } = entry;
  const sent = Object.entries(headers).filter(
    ([name, value]) => !leftOut.test(name) && value !== "*/*",
  );
  const hidden = keyProblem === null ? key : wrongKey;
  const shown = sent.flatMap(([name, value]) => {
    const isHidden = value.includes(hiddenKey) || (name === "authorization" && value === "");
    if (!isHidden) return [[name, value] as const];
    if (hidden === null) return [];
    return [
      [name, value === "" ? `Bearer ${hidden}` : value.replaceAll(hiddenKey, hidden)] as const,
    ];
  });
  const text = sentText(entry);
  return {
    url: root + requestTarget(entry),
    method,
    headers: Object.fromEntries(shown),
    body: text === "" ? undefined : text,
  };
}

/** The body as it was sent, apart from spaces in JSON; empty if there was none. */
function sentText({ body, bodyText = null }: Asked): string {
  if (bodyText !== null) return bodyText;
  if (body === null || body === undefined) return "";
  return typeof body === "string" ? body : JSON.stringify(body);
}

/** The most characters of a body on the command line: Linux takes 131,072 bytes a word. */
const longestWord = 30_000;

/** A shell command that sends a request again. Curl must take the URL and the body as they are. */
export function curlOf(entry: Asked, setting: CurlSetting): string {
  const { url, method, headers, body } = repeatedRequest(entry, setting);
  // Curl sends no body with a HEAD request, and waits for one in the answer if it is made to.
  const data = method === "HEAD" ? undefined : body;
  // Curl names a type for each body that has none.
  const typed = data === undefined || "content-type" in headers ? [] : ["-H 'content-type:'"];
  const isLong = data !== undefined && data.length > longestWord;
  return [
    // A shell's own command takes words of any length.
    ...(isLong ? [`printf %s ${quoted(data)} |`] : []),
    "curl -sN",
    // Otherwise curl takes brackets and braces for patterns, and resolves dots.
    ...(/[[\]{}]/.test(url) ? ["--globoff"] : []),
    ...(/\/\.\.?(?:[/?#]|$)/.test(url) ? ["--path-as-is"] : []),
    ...methodOption(method, data !== undefined),
    quoted(url.replaceAll("#", "%23")),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(headerLine(name, value))}`),
    ...typed,
    ...(data === undefined ? [] : [isLong ? "--data-binary @-" : `--data-raw ${quoted(data)}`]),
  ].join(" ");
}

/**
 * A header as curl takes it. A header without a value ends with a semicolon, since curl leaves out one that ends with
 * a colon.
 */
function headerLine(name: string, value: string): string {
  return value === "" ? `${name};` : `${name}: ${value}`;
}

/** The option for the method, left out if curl chooses it anyway. */
function methodOption(method: string, hasBody: boolean): readonly string[] {
  if (method === "HEAD") return ["-I"];
  return method === (hasBody ? "POST" : "GET") ? [] : [`-X ${quoted(method)}`];
}

/** A word for a POSIX shell. */
function quoted(text: string): string {
  return /^[\w./:=@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A call of `fetch` that sends a request again. */
export function fetchOf(entry: Asked, setting: CurlSetting): string {
  return callWith("fetch", repeatedRequest(entry, setting), entry);
}

/**
 * A call of another function like `fetch`, to the path alone, with a signal if one is given. Where the journal hides
 * a key, the call has none.
 */
export function callOf(entry: Asked, name: string, signal?: string): string {
  return callWith(
    name,
    repeatedRequest(entry, { root: "", key: null }),
    entry,
    signal === undefined ? [] : [`"signal": ${signal}`],
  );
}

function callWith(
  name: string,
  { url, method, headers, body }: RepeatedRequest,
  entry: Asked,
  more: readonly string[] = [],
): string {
  const given = [
    ...(method === "GET" ? [] : [`"method": ${JSON.stringify(method)}`]),
    ...(Object.keys(headers).length === 0 ? [] : [`"headers": ${textOf(headers)}`]),
    ...(body === undefined ? [] : [`"body": ${bodyCode(entry)}`]),
    ...more,
  ];
  const options =
    given.length === 0 ? "" : `, {\n${given.map((line) => `  ${indented(line)},\n`).join("")}}`;
  return `await ${name}(${JSON.stringify(url)}${options})`;
}

/** The body as code: readable where its value gives the same text again. */
function bodyCode(entry: Asked): string {
  const { body, bodyText = null } = entry;
  const isText = bodyText !== null || typeof body === "string";
  return isText ? textOf(sentText(entry)) : `JSON.stringify(${textOf(body)})`;
}

function textOf(value: unknown): string {
  return JSON.stringify(value, undefined, 2);
}

function indented(text: string): string {
  return text.replaceAll("\n", "\n  ");
}

/** A test for Vitest that sends a request again and expects the same status. */
export function testOf(entry: Asked & Pick<JournalEntry, "status">, setting: CurlSetting): string {
  const { method, path, status } = entry;
  const call = indented(fetchOf(entry, setting));
  const lines =
    status === 0
      ? [`await expect(${call.replace(/^await /, "")}).rejects.toThrow();`]
      : [`const response = ${call};`, `expect(response.status).toBe(${status});`];
  return `import { expect, test } from ${JSON.stringify("vitest")};

test(${JSON.stringify(`${method} ${path}`)}, async () => {
${lines.map((line) => `  ${line}`).join("\n")}
});
`;
}
