import { asObject, isObject, type JsonObject } from "../../schema/json.ts";
import type { ChatRequest } from "./chat-request.ts";

/** What a request does not leave to the model: the form of its text, or a call. */
export type Demand = JsonDemand | CallDemand;

/** The text must be JSON. */
export interface JsonDemand {
  readonly kind: "json";
  /** The schema's name. Undefined: any object will do. */
  readonly name: string | undefined;
  readonly schema: JsonObject | undefined;
}

/** A function must be called. */
export interface CallDemand {
  readonly kind: "call";
  /** The function to call: the one that the request names, else the first that it offers. */
  readonly name: string;
  /** Whether another function may be called as well. */
  readonly isFree: boolean;
  /** The schema of its arguments. */
  readonly schema: JsonObject | undefined;
}

/** What a valid request demands. Undefined: nothing. A call comes before a text. */
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
  const tools = functionsIn(itemsOf(body["tools"]).map((tool) => tool["function"]));
  const functions = functionsIn(itemsOf(body["functions"]));
  const choice = body["tool_choice"];
  const named = nameIn(body["function_call"]) ?? nameIn(asObject(choice)?.["function"]);
  if (named !== undefined) {
    const offered = [...tools, ...functions].find(({ name }) => name === named);
    return { ...(offered ?? { name: named, schema: undefined }), kind: "call", isFree: false };
  }
  const allowed = allowedBy(choice);
  const first = tools.find(({ name }) => allowed?.(name) === true);
  return first === undefined ? undefined : { ...first, kind: "call", isFree: true };
}

/** The functions among which a request requires a call. Undefined: it does not require one. */
function allowedBy(choice: unknown): ((name: string) => boolean) | undefined {
  if (choice === "required") return () => true;
  const { mode, tools } = asObject(asObject(choice)?.["allowed_tools"]) ?? {};
  if (mode !== "required") return undefined;
  const names = itemsOf(tools).map((tool) => nameIn(tool["function"]));
  return (name) => names.includes(name);
}

type Offered = Pick<CallDemand, "name" | "schema">;

function functionsIn(given: readonly unknown[]): readonly Offered[] {
  return given.flatMap((item) => {
    const name = nameIn(item);
    return name === undefined ? [] : [{ name, schema: asObject(asObject(item)?.["parameters"]) }];
  });
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
