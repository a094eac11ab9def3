import { asObject, isObject, type JsonObject } from "../../schema/json.ts";
import type { ChatRequest } from "./chat-request.ts";

/** What a request demands of its answer: JSON, or a call. */
export type Demand = JsonDemand | CallDemand;

/** The text must be JSON. */
export interface JsonDemand {
  readonly kind: "json";
  /** The schema's name. Undefined: any object will do. */
  readonly name: string | undefined;
  readonly schema: JsonObject | undefined;
}

/** A function or a custom tool must be called. */
export interface CallDemand {
  readonly kind: "call";
  readonly type: "function" | "custom";
  /** The tool to call: the one that the request names, else the first that it offers or allows. */
  readonly name: string;
  /** Whether another tool may be called as well. */
  readonly isFree: boolean;
  /** The schema of the tool's arguments; for a custom tool, the schema of its input, which is a text. */
  readonly schema: JsonObject | undefined;
}

/** What a valid request demands. Undefined: nothing. If it demands a call and JSON, the call counts. */
export function demandOf({ options }: ChatRequest): Demand | undefined {
  return callDemand(options) ?? jsonDemand(options["response_format"]);
}

function jsonDemand(format: unknown): JsonDemand | undefined {
  const { type, json_schema: given } = asObject(format) ?? {};
  if (type === "json_object") return { kind: "json", name: undefined, schema: undefined };
  if (type !== "json_schema") return undefined;
  const { name, schema } = asObject(given) ?? {};
  return { kind: "json", name: textOf(name), schema: asObject(schema) };
}

function callDemand(body: JsonObject): CallDemand | undefined {
  const tools = itemsOf(body["tools"]).flatMap(toolIn);
  const functions = itemsOf(body["functions"]).flatMap(functionIn);
  const choice = asObject(body["tool_choice"]) ?? {};
  const ofFunction = nameIn(body["function_call"]) ?? nameIn(choice["function"]);
  const named = ofFunction ?? nameIn(choice["custom"]);
  if (named !== undefined) {
    const type = ofFunction === undefined ? "custom" : "function";
    const offered = [...tools, ...functions].find(
      (tool) => tool.name === named && tool.type === type,
    );
    const unknown = { type, name: named, schema: undefined } as const;
    return { ...(offered ?? unknown), kind: "call", isFree: false };
  }
  const allowed = allowedBy(body["tool_choice"]);
  const first = tools.find(({ name }) => allowed?.(name) === true);
  return first === undefined ? undefined : { ...first, kind: "call", isFree: true };
}

/** Tells which tools a request requires a call of. Undefined: the request requires no call. */
function allowedBy(choice: unknown): ((name: string) => boolean) | undefined {
  if (choice === "required") return () => true;
  const { mode, tools } = asObject(asObject(choice)?.["allowed_tools"]) ?? {};
  if (mode !== "required") return undefined;
  const names = itemsOf(tools).map((tool) => nameIn(tool["function"] ?? tool["custom"]));
  return (name) => names.includes(name);
}

type Offered = Pick<CallDemand, "type" | "name" | "schema">;

function toolIn({ function: called, custom }: JsonObject): readonly Offered[] {
  const name = nameIn(custom);
  if (name === undefined) return functionIn(called);
  return [{ type: "custom", name, schema: inputSchema(asObject(custom)?.["format"]) }];
}

function functionIn(given: unknown): readonly Offered[] {
  const name = nameIn(given);
  const schema = asObject(asObject(given)?.["parameters"]);
  return name === undefined ? [] : [{ type: "function", name, schema }];
}

/** The schema of a custom tool's input, if its format is a regular expression. Other grammars are ignored. */
function inputSchema(format: unknown): JsonObject | undefined {
  const given = asObject(format) ?? {};
  // In Responses, the keys of the grammar stand beside the type.
  const { syntax, definition } = asObject(given["grammar"]) ?? given;
  if (syntax !== "regex" || typeof definition !== "string") return undefined;
  return { type: "string", pattern: `^(?:${definition})$` };
}

function nameIn(value: unknown): string | undefined {
  return textOf(asObject(value)?.["name"]);
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function itemsOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
