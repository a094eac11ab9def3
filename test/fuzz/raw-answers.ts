import {
  type Answer,
  chatProblem,
  controlProblem,
  type TablesProfile,
  tablesProblem,
} from "./envelopes.ts";
import type { Problem } from "./fuzz-kind.ts";

/** What a server has sent so far, each character one byte: whole answers, and what is left. */
export interface ReadAnswers {
  readonly answers: readonly Answer[];
  readonly rest: string;
  readonly problem: Problem;
}

interface OneAnswer {
  readonly answer: Answer | undefined;
  readonly end: number;
}

/** Reads answers to requests of these methods, strictly. An answer beyond them is taken for one to a GET. */
export function readAnswers(
  bytes: string,
  methods: readonly string[],
  isClosed: boolean,
): ReadAnswers {
  const answers: Answer[] = [];
  let at = 0;
  while (at < bytes.length) {
    const read = readOne(bytes.slice(at), methods[answers.length] ?? "GET", isClosed);
    if (typeof read === "string") return { answers, rest: bytes.slice(at), problem: read };
    if (read === undefined) break;
    if (read.answer !== undefined) answers.push(read.answer);
    at += read.end;
  }
  return { answers, rest: bytes.slice(at), problem: undefined };
}

/** Undefined: it is not complete yet. A text: it is not HTTP. */
function readOne(bytes: string, method: string, isClosed: boolean): OneAnswer | string | undefined {
  const end = bytes.indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const [line = "", ...lines] = bytes.slice(0, end).split("\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3}) [ -~]*$/.exec(line)?.[1]);
  if (Number.isNaN(status)) return `no status line: ${JSON.stringify(line.slice(0, 100))}`;
  const headers = new Map<string, string>();
  for (const header of lines) {
    const [, name = "", value = ""] =
      /^([!#$%&'*+\-.^_`|~\w]+): ?([\t\x20-\x7e\x80-\xff]*)$/.exec(header) ?? [];
    if (name === "") return `no header line: ${JSON.stringify(header.slice(0, 100))}`;
    headers.set(name.toLowerCase(), value);
  }
  if (status < 200) return { answer: undefined, end: end + 4 };
  const body = readBody(bytes.slice(end + 4), { method, status, headers, isClosed });
  if (body === undefined || typeof body === "string") return body;
  const text = Buffer.from(body.text, "latin1").toString("utf8");
  const type = headers.get("content-type") ?? "";
  return { answer: { method, status, type, text }, end: end + 4 + body.length };
}

interface Head {
  readonly method: string;
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly isClosed: boolean;
}

interface Body {
  readonly text: string;
  readonly length: number;
}

function readBody(
  bytes: string,
  { method, status, headers, isClosed }: Head,
): Body | string | undefined {
  if (method === "HEAD" || status === 204 || status === 304) return { text: "", length: 0 };
  if (headers.get("transfer-encoding") === "chunked") return readChunks(bytes);
  const length = headers.get("content-length");
  if (length === undefined) return isClosed ? { text: bytes, length: bytes.length } : undefined;
  if (!/^\d+$/.test(length)) return `a content length of ${length}`;
  const size = Number(length);
  return bytes.length < size ? undefined : { text: bytes.slice(0, size), length: size };
}

function readChunks(bytes: string): Body | string | undefined {
  let text = "";
  let at = 0;
  for (;;) {
    const end = bytes.indexOf("\r\n", at);
    if (end === -1) return undefined;
    const digits = bytes.slice(at, end);
    if (!/^[\da-f]+$/i.test(digits)) return `a chunk of ${JSON.stringify(digits.slice(0, 50))}`;
    const size = Number.parseInt(digits, 16);
    const next = end + 2 + size + 2;
    if (bytes.length < next) return undefined;
    if (bytes.slice(next - 2, next) !== "\r\n") return "a chunk that does not end";
    if (size === 0) return { text, length: next };
    text += bytes.slice(end + 2, next - 2);
    at = next;
  }
}

/** The health, and rows of a table. */
const isOfControl = /^(?:\{"status":"ok"\}$|\[)/;

/** Methods of which an answer may be one, where nobody can tell. */
const anyMethod = ["GET", "POST", "PUT", "HEAD", "OPTIONS"];

/** What is wrong with an answer that may be from any interface. */
export function answerProblem(
  profile: TablesProfile,
  answer: Answer,
  isMethodKnown: boolean,
): Problem {
  const { status, text, type } = answer;
  if (isServerRefusal(answer)) return undefined;
  if (status === 200 && type.startsWith("text/html")) return undefined;
  if (status === 200 && isOfControl.test(text)) return undefined;
  if (text.startsWith('{"error":{"code"')) return controlProblem(answer);
  const methods = isMethodKnown ? [answer.method] : anyMethod;
  const problems = methods.map((method) => tablesProblem(profile, { ...answer, method }));
  if (problems.includes(undefined)) return undefined;
  return chatProblem({ ...answer, method: isMethodKnown ? answer.method : "POST" }) === undefined
    ? undefined
    : problems[0];
}

/** What the server says of bytes that are no request. */
export function isServerRefusal({ status, text }: Answer): boolean {
  return [400, 405, 408, 431].includes(status) && text.endsWith('"code":"bad_request"}');
}
