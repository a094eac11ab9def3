import { pause, type Play } from "../steps/steps.ts";
import { failed, ok, type Result } from "../errors/result.ts";
import type { Reply } from "../http/reply.ts";
import { didYouMean, showText } from "../errors/show.ts";
import { refuse } from "./errors.ts";
import type { Body, ControlRequest, Parameter, RouteAnswer } from "./route.ts";
import { check, type Schema } from "../schema/schema.ts";
import { readJson } from "../fixture-set/json/read-json.ts";
import { isObject, type JsonObject } from "../schema/json.ts";
import { Findings, problemAtPath } from "../schema/findings.ts";
import type { Call } from "../http/call.ts";
import { utf8Text } from "../http/bytes.ts";
import { isJsonType, jsonExcess } from "../http/json-body.ts";

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
  { call, play }: Pick<ControlRequest, "call" | "play">,
  body: Body<Value>,
  answer: (value: Value) => RouteAnswer,
): Promise<Reply | void> {
  const text = await readText(call);
  if (!text.ok) return text.error;
  if (text.value === "" && body.whenMissing !== undefined) return answer(body.whenMissing);
  const contentType = call.headers["content-type"];
  if (!isJsonType(contentType)) return notJsonType(contentType ?? "");
  const use = async (): Promise<Reply | void> => {
    const value = await readValue(text.value, body, play);
    return value.ok ? answer(value.value) : value.error;
  };
  if (text.value.length < largeBody) return use();
  const reply = largeBodies.then(use);
  largeBodies = reply.catch(() => undefined);
  return reply;
}

/** In characters. Larger bodies are used one after the other: what is read from one takes ten times its memory. */
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

function notJsonType(contentType: string): Reply {
  const what = `its content type is ${showText(contentType)}. Send "Content-Type: application/json".`;
  return refused("unsupported_media_type", what).error;
}

/** The value of a text. Reads it like fixtures: numbers that would change and duplicate keys are refused. */
async function readValue<Value>(
  text: string,
  { schema }: Body<Value>,
  play: Play,
): Promise<Result<Value, Reply>> {
  if (text.trim() === "") return refused("not_json", "it is empty. Send JSON.");
  const excess = jsonExcess(text);
  if (excess !== undefined) return refused("not_json", `${excess}.`);
  await play(pause());
  const { value, problems } = await readJson(text, false, play);
  await play(pause());
  const [first] = problems;
  if (first !== undefined) {
    const what = `at line ${first.line}, column ${first.column}: ${first.message}`;
    return refused("not_json", what, problems);
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
