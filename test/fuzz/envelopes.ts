import { controlErrors } from "../../src/core/control/errors.ts";
import { bytesOf } from "../../src/core/http/event-stream.ts";
import type { Reply } from "../../src/core/http/reply.ts";
import { tablesErrorStatuses } from "../../src/core/tables/document/errors.ts";
import type { Problem } from "./fuzz-kind.ts";

// Whether an answer has the form that its interface gives to all answers.

/** An answer as its client gets it. Streams are text. */
export interface Answer {
  readonly method: string;
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

export type TablesProfile = "document" | "starbasedb";

const encoding = new TextDecoder();
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;
const headerName = /^[!#$%&'*+\-.^_`|~\da-z]+$/;

/** The answer that a reply makes; a text says why it makes none. */
export function answerOf(method: string, reply: Reply): Answer | string {
  const { status, headers, body } = reply;
  for (const [name, value] of Object.entries(headers)) {
    if (headerName.test(name) && headerValue.test(value)) continue;
    return `no front can send the header ${JSON.stringify(name)}: ${JSON.stringify(value)}`;
  }
  const type = headers["content-type"] ?? "";
  if (body.kind === "text") return { method, status, type, text: body.text };
  if (body.kind === "none") return { method, status, type, text: "" };
  if (body.kind === "bytes") return { method, status, type, text: encoding.decode(body.bytes) };
  if (body.kind === "no-answer" || body.kind === "live") return { method, status, type, text: "" };
  const frames = body.stream.frames.map((frame) => {
    const data = bytesOf(frame, body.stream);
    return typeof data === "string" ? data : encoding.decode(data);
  });
  return { method, status, type, text: frames.join("") };
}

/** A client's answer that is JSON. */
type Body = Readonly<Record<string, unknown>>;

function bodyOf({ type, text }: Answer): Body | string {
  if (!/^application\/json\b/.test(type)) return `the content type is ${JSON.stringify(type)}`;
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch {
    return `the body is not JSON: ${text.slice(0, 200)}`;
  }
  return `the body is no object: ${text.slice(0, 200)}`;
}

function isRecord(value: unknown): value is Body {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function hasOnly(body: Body, names: readonly string[]): boolean {
  return Object.keys(body).every((name) => names.includes(name));
}

/** The texts with which SQLite, its service and their runtime fail. */
const namedFailures = [
  /: SQLITE_(?:ERROR|AUTH|CONSTRAINT|MISMATCH|TOOBIG|FULL)$/,
  /^Failed to (?:retrieve data|(?:replace|update|delete) resource)$/,
  /^Cannot convert object to primitive value$/,
  /^Cannot read properties of null \(reading '/,
];

/** What is wrong with an answer of the tables. */
export function tablesProblem(profile: TablesProfile, answer: Answer): Problem {
  if (answer.text === "") return emptyProblem(profile, answer);
  if (profile === "starbasedb" && isPlain(answer)) return undefined;
  const body = bodyOf(answer);
  if (typeof body === "string") return `${answer.status}: ${body}`;
  const known = answer.status < 300 ? isResult(answer, body) : isRefusal(profile, answer, body);
  return known
    ? undefined
    : `no envelope of the tables: ${answer.status} ${answer.text.slice(0, 300)}`;
}

function emptyProblem(profile: TablesProfile, { method, status }: Answer): Problem {
  if (method === "HEAD" || (method === "OPTIONS" && status === 204)) {
    return status >= 500 && profile === "document" ? `status ${status}` : undefined;
  }
  return `an answer without a body: ${method} ${status}`;
}

const plainAnswers = [
  "404 Not found",
  "440 WebSocket connections are not supported at this endpoint.",
  "501 ERROR: Unrecognized request method.",
];

/** What the service says without JSON. */
function isPlain({ status, type, text }: Answer): boolean {
  if (status === 500) return type === "" && text === "Internal Server Error";
  const said = `${status} ${text}`;
  return /^text\/plain(?:;charset=UTF-8)?$/.test(type) && plainAnswers.includes(said);
}

function isResult({ method, status }: Answer, body: Body): boolean {
  if (!hasOnly(body, ["result"])) return false;
  const { result } = body;
  if (method === "GET") return status === 200 && Array.isArray(result) && result.every(isRecord);
  if (!isRecord(result) || typeof result["message"] !== "string") return false;
  return status === (method === "POST" ? 201 : 200);
}

function isRefusal(profile: TablesProfile, { status }: Answer, body: Body): boolean {
  const { error, code, hint = "" } = body;
  if (typeof error !== "string") return false;
  if (code === "invalid_session") return status === 400;
  if (profile === "starbasedb") {
    if (!hasOnly(body, ["error"])) return false;
    return status < 500 || namedFailures.some((failure) => failure.test(error));
  }
  const isKnown = typeof code === "string" && Object.hasOwn(tablesErrorStatuses, code);
  const statuses: Readonly<Record<string, number>> = tablesErrorStatuses;
  return (
    isKnown &&
    statuses[code] === status &&
    typeof hint === "string" &&
    hasOnly(body, ["error", "code", "hint"])
  );
}

/** What is wrong with an answer of chat. Only scripts have reason to say that the server failed. */
export function chatProblem(answer: Answer): Problem {
  const { method, status, text, type } = answer;
  if (text === "")
    return method === "HEAD" || status === 204 ? undefined : `no body: ${method} ${status}`;
  if (status === 200 && type.startsWith("text/event-stream")) return streamProblem(text);
  const body = bodyOf(answer);
  if (typeof body === "string") return `${status}: ${body}`;
  const isFine = status === 200 ? isAnswer(body) : isChatError(status, body);
  return isFine ? undefined : `no envelope of chat: ${status} ${text.slice(0, 300)}`;
}

function isAnswer(body: Body): boolean {
  const { object, choices, usage, data, id } = body;
  if (object === "list") return Array.isArray(data) && data.every(isRecord);
  if (object === "model") return typeof id === "string";
  if (object !== "chat.completion" || !Array.isArray(choices) || choices.length === 0) return false;
  const tokens = isRecord(usage) ? [usage["prompt_tokens"], usage["completion_tokens"]] : [];
  return tokens.length === 2 && tokens.every(Number.isInteger) && choices.every(isChoice);
}

function isChoice(choice: unknown, index: number): boolean {
  if (!isRecord(choice) || choice["index"] !== index) return false;
  const { message, finish_reason: reason } = choice;
  return isRecord(message) && message["role"] === "assistant" && typeof reason === "string";
}

function isChatError(status: number, { error }: Body): boolean {
  if (!isRecord(error) || Object.keys(error).join() !== "message,type,param,code") return false;
  const { message, type, param, code } = error;
  const isSaid = typeof message === "string" && typeof type === "string";
  const isNamed = [param, code].every((value) => value === null || typeof value === "string");
  const mayFail = code === "template_failed" || code === "scripted";
  return isSaid && isNamed && status >= 400 && (status < 500 || mayFail);
}

/** Events of a stream in which nothing goes wrong by design. */
function streamProblem(text: string): Problem {
  const events = text.split("\n\n");
  if (events.pop() !== "") return `a stream ends within an event: ${text.slice(-200)}`;
  if (events.pop() !== "data: [DONE]") return `a stream without its end: ${text.slice(-200)}`;
  for (const event of events) {
    if (event.startsWith(":")) continue;
    const data = event.startsWith("data: ") ? event.slice("data: ".length) : "";
    const body = bodyOf({ method: "POST", status: 200, type: "application/json", text: data });
    if (typeof body === "string") return `an event of a stream: ${body}`;
    if (body["object"] !== "chat.completion.chunk")
      return `an event of a stream: ${event.slice(0, 200)}`;
  }
  return undefined;
}

/** What is wrong with an answer of the control API. */
export function controlProblem(answer: Answer): Problem {
  const { method, status, type, text } = answer;
  if (status < 300) return undefined;
  if (method === "HEAD" && text === "") return status < 500 ? undefined : `status ${status}`;
  const body = bodyOf({ ...answer, type });
  if (typeof body === "string") return `${status}: ${body}`;
  const error = body["error"];
  const code = isRecord(error) ? error["code"] : undefined;
  const statuses: Readonly<Record<string, { readonly status: number } | undefined>> = controlErrors;
  const isKnown = typeof code === "string" && Object.hasOwn(statuses, code);
  if (isKnown && statuses[code]?.status === status) return undefined;
  return `no envelope of the control API: ${status} ${text.slice(0, 300)}`;
}
