import { escapedText, oddText } from "./odd-values.ts";
import type { Random } from "./random.ts";
import { columnNames, tableNames } from "./table-names.ts";

// Requests as bytes, each character one byte: such as HTTP/1.1 allows, and others.

/** A request that a server has to answer, in the pieces in which it is sent. */
export interface SoundRequest {
  readonly method: string;
  readonly parts: readonly string[];
  /** Whether the server closes the connection after it. */
  readonly isLast: boolean;
  /** Whether the answer takes some time, and is cut by broken bytes that come meanwhile. */
  readonly isPaced: boolean;
}

const chat = '{"model":"atlas","messages":[{"role":"user","content":"known request"}]}';
const stream = '{"model":"atlas","stream":true,"messages":[{"role":"user","content":"Hello"}]}';
/** Whose answer takes some time, since it has waits. */
const paced = stream.replace("Hello", "chunks");
/** What the server resets the connection for. */
export const breakOff = "break off";
const brokenOff = stream.replace("Hello", breakOff);

/** A request that is odd, and right by RFC 9112. */
export function soundRequest(random: Random): SoundRequest {
  const { method, target, body } = asked(random);
  const isOld = random.chance(0.04);
  const isLast = isOld || random.chance(0.08);
  const head = [
    `${method} ${target} HTTP/1.${isOld ? 0 : 1}`,
    ...random.shuffled(headerLines(random, { isOld, isLast })),
  ];
  const isChunked = !isOld && body !== "" && random.chance(0.4);
  if (isChunked)
    head.push(
      `${cased(random, "Transfer-Encoding")}: ${random.chance(0.9) ? "chunked" : "Chunked"}`,
    );
  else if (body !== "" || random.chance(0.2))
    head.push(
      `${cased(random, "Content-Length")}: ${random.chance(0.95) ? "" : "00"}${body.length}`,
    );
  const isPaced = body === paced;
  const text = `${head.join("\r\n")}\r\n\r\n${isChunked ? chunked(random, body) : body}`;
  // Some clients send an empty line after a body.
  return {
    method,
    parts: split(random, random.chance(0.03) ? `\r\n${text}` : text),
    isLast,
    isPaced,
  };
}

function asked(random: Random): {
  readonly method: string;
  readonly target: string;
  readonly body: string;
} {
  const kind = random.int(0, 9);
  const host = random.chance(0.05) ? "http://localhost:4010" : "";
  if (kind < 4) {
    const method = random.pick(["GET", "GET", "GET", "HEAD", "OPTIONS"]);
    return { method, target: host + readTarget(random), body: random.chance(0.1) ? "{}" : "" };
  }
  if (kind < 7) {
    const method = random.pick(["POST", "PUT", "PATCH", "DELETE"]);
    const target = `${host}/rest/${random.pick(["users", "logs", "places", "pairs"])}${method === "POST" ? "" : "/1"}`;
    return { method, target, body: method === "DELETE" ? "" : writeBody(random) };
  }
  if (kind < 9)
    return {
      method: "POST",
      target: `${host}/v1/chat/completions`,
      body: random.chance(0.9) ? random.pick([chat, stream, paced]) : writeBody(random),
    };
  return {
    method: random.pick(["GET", "PURGE", "REPORT", "DELETE"]),
    target: random.pick([
      "/",
      "/v1/models",
      "/__backlot/health",
      "/@a/v1/models",
      "/nothing",
      "/__backlot/tables/users",
    ]),
    body: "",
  };
}

function readTarget(random: Random): string {
  const name = escapedText(random, random.pick(columnNames)).replaceAll(/[^!-~]|#/g, "");
  const query = random.chance(0.5) ? `?${name}=${safe(escapedText(random, oddText(random)))}` : "";
  return `${random.pick(["/rest/", "/v1/rest/", "/@b/rest/"])}${random.pick(tableNames)}${query}`;
}

/** Without what no target may have; a space ends it. */
function safe(text: string): string {
  return text.replaceAll(/[^!-~]/g, "%41").slice(0, 2_000);
}

function writeBody(random: Random): string {
  return random.weighted<() => string>([
    [
      4,
      () =>
        JSON.stringify({
          line: random.pick(["x", "", "y\n"]),
          name: "n",
          code: String(random.int(0, 99)),
        }),
    ],
    [1, () => ""],
    [1, () => "{"],
    [1, () => "\xff\xfe\x00"],
    [1, () => `{"name":"${"a".repeat(random.pick([100, 1_900, 2_100, 9_000]))}"}`],
  ])();
}

function headerLines(
  random: Random,
  { isOld, isLast }: { readonly isOld: boolean; readonly isLast: boolean },
): string[] {
  const token = random.chance(0.95)
    ? "Bearer local-token"
    : random.pick(["", "Bearer", "Basic eA==", "Bearer \xe9"]);
  const spaces = (): string => random.pick(["", " ", " ", " ", "\t", "   "]);
  const lines = [`${cased(random, "Authorization")}:${spaces()}${token}${spaces()}`];
  if (!isOld || random.chance(0.5))
    lines.push(`Host:${spaces()}${random.pick(["localhost", "127.0.0.1:4010", "a.example", ""])}`);
  if (isLast && !isOld) lines.push("Connection: close");
  if (random.chance(0.6))
    lines.push(
      `Content-Type: ${random.pick(["application/json", "application/json;charset=utf-8", "text/plain", "", "\xff"])}`,
    );
  const more = random.chance(0.02) ? random.int(100, 1_500) : random.int(0, 3);
  for (let at = 0; at < more; at++)
    lines.push(
      `${random.pick(["X-A", "Accept", "x-b", "Cookie", "Via", "__proto__", "constructor", "!#$%&'*"])}:${spaces()}${random.pick(["", "a", "a,b", "\x80\xff", "x".repeat(random.int(0, 20)), '"'])}`,
    );
  if (random.chance(0.03))
    lines.push(
      random.pick([
        "Expect: 100-continue",
        "Expect: nothing",
        "Upgrade: websocket",
        "TE: trailers",
        "Origin: http://a.example",
        "X-Backlot-Session: a",
        "X-Backlot-Session: \xff",
        "Accept-Encoding: gzip",
        "Range: bytes=0-1",
        "If-None-Match: *",
      ]),
    );
  return lines;
}

function cased(random: Random, name: string): string {
  return random.pick([name, name.toLowerCase(), name.toUpperCase()]);
}

function chunked(random: Random, body: string): string {
  const size = random.pick([1, 7, 50, 5_000]);
  const pieces = body.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
  const lines = pieces.map((piece) => `${sizeText(random, piece.length)}\r\n${piece}\r\n`);
  const trailers = random.chance(0.1) ? "X-Trailer: a\r\n" : "";
  return `${lines.join("")}0\r\n${trailers}\r\n`;
}

function sizeText(random: Random, size: number): string {
  const digits = size.toString(16);
  const extension = random.chance(0.05) ? random.pick([";a", ";a=b", ';a="b c"']) : "";
  return `${random.chance(0.1) ? digits.toUpperCase().padStart(4, "0") : digits}${extension}`;
}

function split(random: Random, text: string): string[] {
  if (random.chance(0.7)) return [text];
  const at = random.int(0, text.length);
  return [text.slice(0, at), text.slice(at)];
}

/** What makes a request another one, or none. */
export const brokenPieces: readonly string[] = [
  "\r\n",
  "\n",
  "\r",
  "\0",
  ":",
  " ",
  "\t",
  "\r\n ",
  "\xff",
  "Content-Length: 5\r\n",
  "Content-Length: -1\r\n",
  "Content-Length: 5, 6\r\n",
  "Content-Length: 99999999999999999999\r\n",
  "Content-Length: 0x5\r\n",
  "Transfer-Encoding: chunked\r\n",
  "Transfer-Encoding: identity, chunked\r\n",
  "Transfer-Encoding: chunked, identity\r\n",
  "Transfer-Encoding: gzip\r\n",
  "Transfer-Encoding : chunked\r\n",
  "Host: other\r\n",
  "Connection: keep-alive, close\r\n",
  "Upgrade: h2c\r\nConnection: upgrade\r\n",
  "Expect: 100-continue\r\n",
  "HTTP/1.1",
  "HTTP/2.0",
  "HTTP/0.9",
  "GET ",
  "ffffffffffffffff\r\n",
  "-1\r\n",
  "0\r\n\r\n",
  "5;x\r\n",
  "//",
  "/../",
  "%",
  "?",
  "#",
  "*",
];

/** Bytes that are no request at all, or one that servers often get wrong. */
export const strangeRequests: readonly string[] = [
  `POST /v1/chat/completions HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer k\r\nContent-Length: ${brokenOff.length}\r\n\r\n${brokenOff}`,
  "",
  "\r\n\r\n",
  "GET",
  "GET /rest/users\r\n\r\n",
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
  "CONNECT a.example:443 HTTP/1.1\r\nHost: a.example\r\n\r\n",
  "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
  "GET http:// HTTP/1.1\r\nHost: a\r\n\r\n",
  "GET \\rest\\users HTTP/1.1\r\nHost: a\r\n\r\n",
  "GET javascript:alert(1) HTTP/1.1\r\nHost: a\r\n\r\n",
  "GET //evil.example/rest/users HTTP/1.1\r\nHost: a\r\n\r\n",
  "GET /rest/users HTTP/1.1\r\n\r\n",
  "GET /rest/users HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
  "POST /rest/users HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
  "POST /rest/users HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
  "POST /rest/users HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{}",
  "POST /rest/users HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\n{}",
  "POST /rest/users HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
  "POST /rest/users HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nab\r\n0\r\n\r\n",
  "POST /rest/users HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n",
];
