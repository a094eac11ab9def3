import {
  type JsonSchema,
  type Refer,
  type Schema,
  check,
  Findings,
  problemAtPath,
} from "../schema/schema.ts";
import type { Call } from "../http/call.ts";
import type { Reply } from "../http/reply.ts";
import type { ControlCall } from "../emulator/extras.ts";
import type { Session } from "../emulator/session.ts";
import type { Setup } from "../emulator/setup.ts";
import type { Timers } from "../http/scheduler.ts";
import { type ControlErrorCode, refuse } from "./errors.ts";
import { failed, ok, type Result } from "../errors/result.ts";
import { didYouMean, showText } from "../errors/show.ts";
import { readJson } from "../fixture-set/json/read-json.ts";
import { isObject, type JsonObject } from "../schema/json.ts";
import { utf8Text } from "../http/bytes.ts";
import { depthProblem, isJsonType, parsedSize } from "../http/json-body.ts";

/** A parameter in the path or the query, as the OpenAPI document describes it. */
export interface Parameter {
  readonly name: string;
  readonly description: string;
  /** If it has an `enum`, other values are refused. Default: any text. */
  readonly schema?: JsonSchema & { readonly enum?: readonly string[] };
  /** Required in a path, so that tools can try the operation. */
  readonly example?: string;
}

/** The body of a request. */
export interface Body<Value = unknown> {
  readonly schema: Schema<Value>;
  /** The meaning of a missing body. Undefined: it is refused. */
  readonly whenMissing: NoInfer<Value> | undefined;
  readonly example: unknown;
}

/** The successful answer of a route. */
export interface Success {
  /** The status. Default: 200. */
  readonly status?: 201 | 204;
  readonly description: string;
  /** The schema of the body. Undefined: there is none. */
  readonly schema?: (refer: Refer) => JsonSchema;
  /** The type of the body. Default: `application/json`. */
  readonly contentType?: string;
}

/** The success of a route without a result. Its `answer` returns nothing. */
export const done: Success = { status: 204, description: "Done." };

/** A call at the path of a route. */
export interface ControlRequest {
  readonly call: Call;
  /** The decoded value of the name in the path's braces; empty if it has none. */
  readonly name: string;
  /** The query's parameters: known ones only, each at most once. */
  readonly query: ReadonlyMap<string, string>;
  /** Every route. */
  readonly routes: readonly ControlRoute[];
  /** How many bytes the parsed body may take: as much as the emulator may keep. */
  readonly room: number;
}

/** What a route works with: an emulator, as seen in one session. */
export interface ControlScene extends Pick<
  ControlCall,
  "console" | "folder" | "current" | "sessionId" | "metrics"
> {
  readonly setup: Setup;
  /** Created on first access, so that a refused caller cannot evict another session. */
  readonly session: Session;
  readonly timers: Timers;
}

/** An operation of the control API. Routing, the OpenAPI document and the reference page are made from these. */
export interface ControlRoute {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** The path below `/__backlot`. One segment may be a parameter, as in `/tables/{name}`. */
  readonly path: string;
  /** The operation's id in the OpenAPI document. */
  readonly id: string;
  /** A summary in half a sentence. */
  readonly summary: string;
  /** Details, in whole sentences. */
  readonly description?: string;
  /** Whether the route answers any caller, from anywhere. */
  readonly open?: true;
  /** Whether pages of other origins may read the answer, unless CORS is off. */
  readonly cors?: true;
  /** The parameter in the path's braces. */
  readonly name?: Parameter;
  readonly query?: readonly Parameter[];
  /** Whether the route reads or writes tables. Shared tables are updated before it runs. */
  readonly needsTables?: true;
  readonly body?: Body;
  readonly success: Success;
  /** The code of a mistake that the emulator reports as an EmulatorError. */
  readonly mistake?: ControlErrorCode;
  /** Further codes with which the route can refuse a call, besides `mistake` and those of all routes. */
  readonly errors?: readonly ControlErrorCode[];
  readonly answer: (request: ControlRequest, scene: ControlScene) => RouteAnswer;
}

/** The reply of a route, or nothing for a route without a result. */
export type RouteAnswer = Reply | void | Promise<Reply | void>;

/** Reads a query as a form. Refuses unknown and duplicate parameters and invalid values. */
export function readQuery(
  query: string,
  known: readonly Parameter[],
): Result<ReadonlyMap<string, string>, Reply> {
  const names = known.map(({ name }) => name);
  const read = new Map<string, string>();
  // The constructor would drop a leading "?", which is part of the first name here.
  for (const [name, value] of new URLSearchParams(query.startsWith("?") ? `&${query}` : query)) {
    const parameter = known.find((one) => one.name === name);
    if (parameter === undefined) {
      const advice = names.length === 0 ? " This route takes none." : adviceFor(name, names);
      const message = `Cannot read the query: there is no parameter ${showText(name)}.${advice}`;
      return failed(refuse("unknown_parameter", { message }));
    }
    if (read.has(name)) {
      const message = `Cannot read the query: the parameter ${name} is given more than once. Give it once.`;
      return failed(refuse("repeated_parameter", { message }));
    }
    const { enum: values = [value] } = parameter.schema ?? {};
    if (!values.includes(value)) {
      const message = `Cannot use the parameter ${name}: ${showText(value)} is not one of its values.${adviceFor(value, values)}`;
      return failed(refuse("invalid_parameter", { message }));
    }
    read.set(name, value);
  }
  return ok(read);
}

function adviceFor(wrong: string, valid: readonly string[]): string {
  return didYouMean(wrong, valid) || ` Use ${valid.join(", ")}.`;
}

/** A body that must be an object. Its reader checks the rest, with better messages. */
export function objectBody(
  json: Schema<JsonObject>["json"],
  example: JsonObject,
): Body<JsonObject> {
  return { schema: { check: checkObject, json }, whenMissing: undefined, example };
}

const checkObject: Schema<JsonObject>["check"] = (value, run) => {
  if (!isObject(value)) run.mustBe("an object", value);
};

/** Reads the body of a call and answers with it, or refuses it with every problem. */
export async function withBody<Value>(
  { call, room }: Pick<ControlRequest, "call" | "room">,
  body: Body<Value>,
  answer: (value: Value) => RouteAnswer,
): Promise<Reply | void> {
  const text = await readText(call);
  if (!text.ok) return text.error;
  if (text.value === "" && body.whenMissing !== undefined) return answer(body.whenMissing);
  const contentType = call.headers["content-type"];
  if (!isJsonType(contentType)) {
    const what = `its content type is ${showText(contentType ?? "")}. Send "Content-Type: application/json".`;
    return refused("unsupported_media_type", what).error;
  }
  const use = async (): Promise<Reply | void> => {
    const value = await readValue(text.value, body);
    return value.ok ? answer(value.value) : value.error;
  };
  if (text.value.length < largeBody) return use();
  const size = parsedSize(text.value);
  if (size > room) {
    const what = `its values would take ${size} bytes, and rowsLimit and addedLimit allow ${room} together. Send less, or raise them.`;
    return refused("body_too_large", what).error;
  }
  const reply = largeBodies.then(use);
  largeBodies = reply.catch(() => undefined);
  return reply;
}

/**
 * Bodies with more characters than this are processed one at a time: the parsed value takes ten times the memory of
 * the text.
 */
const largeBody = 1_000_000;

let largeBodies: Promise<unknown> = Promise.resolve();

/** In bytes. More than the interfaces accept, since an exported state must fit. */
export const largestControlBody = 100_000_000;

async function readText(call: Call): Promise<Result<string, Reply>> {
  const body = await call.readBody(largestControlBody);
  switch (body.kind) {
    case "too-large":
      return refused(
        "body_too_large",
        `it has more than ${body.limit} bytes. Send less, or start the server with it as fixtures, which can have 512 MB a file.`,
      );
    case "aborted":
      return refused("incomplete_body", "it did not arrive completely.");
    case "bytes": {
      const text = utf8Text(body.bytes);
      return text === undefined ? refused("not_json", "it is not UTF-8 text.") : ok(text);
    }
  }
}

/** Parses a body. It is read like fixtures: numbers that would change and duplicate keys are refused. */
async function readValue<Value>(
  text: string,
  { schema }: Body<Value>,
): Promise<Result<Value, Reply>> {
  if (text.trim() === "") return refused("not_json", "it is empty. Send JSON.");
  const excess = depthProblem(text);
  if (excess !== undefined) return refused("not_json", `${excess}.`);
  const { value, problems } = await readJson(text, false);
  const [first] = problems;
  if (first !== undefined) {
    const what = `at line ${first.line}, column ${first.column}: ${first.message}`;
    const places = problems.map(({ message, line, column }) => ({ message, line, column }));
    return refused("not_json", what, places);
  }
  return checkValue(value, schema);
}

function checkValue<Value>(value: unknown, schema: Body<Value>["schema"]): Result<Value, Reply> {
  const findings = new Findings();
  const fitting = check(schema, value, { path: [], findings });
  if (fitting !== undefined) return ok(fitting);
  const problems = findings.list.map(problemAtPath);
  const lines = problems.map(({ message, path }) =>
    path === undefined ? message : `${path}: ${message}`,
  );
  const more = findings.more > 0 ? [`and ${findings.more} more.`] : [];
  return refused("invalid_body", [...lines, ...more].join("\n"), problems);
}

function refused(
  code: Parameters<typeof refuse>[0],
  what: string,
  problems: Parameters<typeof refuse>[1]["problems"] = [],
): { readonly ok: false; readonly error: Reply } {
  return failed(refuse(code, { message: `Cannot read the body: ${what}`, problems }));
}
