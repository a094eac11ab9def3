import { showText } from "../../errors/show.ts";
import { makeValue, misfitOf, type MadeValue } from "../../json-schema/make-value.ts";
import { isObject, type JsonValue, parseJson } from "../../schema/json.ts";
import type { ChatContext } from "../context.ts";
import { type ChatRequest, lastUserText } from "../request/chat-request.ts";
import type { CallDemand, Demand, JsonDemand } from "../request/demand.ts";
import { callsIn, type Completion, type Step, textIn } from "./completion.ts";

/** The values that these functions need besides the request. */
export type DemandContext = Pick<ChatContext, "randomFor" | "warned">;

/** The echo's answer to a request that demands JSON or a call: a value that fits the schema. */
export function demandedSteps(
  demand: Demand,
  request: ChatRequest,
  { randomFor, warned }: DemandContext,
): Step[] {
  const made = valueFor(demand, request, randomFor);
  const isText = isInput(demand) && typeof made.value === "string";
  const text = isText ? made.value : JSON.stringify(made.value);
  const advice = adviceFor(demand, randomFor);
  const but = made.misfit === undefined ? "" : `, which does not fit (${made.misfit})`;
  warned?.(
    demand.kind === "json"
      ? `A chat asked for ${jsonOf(demand)}, but no script matches, so it got a value made up by Backlot${but}: ${advice}`
      : `A chat asked for a call of ${functionOf(demand)}, but no script matches, so it got one with arguments made up by Backlot${but}: ${advice}`,
  );
  if (demand.kind === "json") return [{ kind: "content", text, whole: false }];
  const { type, name } = demand;
  return [
    { kind: "toolCall", call: { index: 0, scriptedId: undefined, type, name, arguments: text } },
  ];
}

/** Warns of a script whose answer is not what the request demands. */
export function warnOfMisfit(
  script: string,
  demand: Demand,
  choices: Completion["choices"],
  { randomFor, warned }: DemandContext,
): void {
  const wrong = firstOf(choices, ({ steps, finishReason }) => {
    // An answer that was cut need not fit: the service's would not, either.
    const isWhole = finishReason !== "length" && finishReason !== "content_filter";
    if (!isWhole || textIn(steps, "refusal") !== null) return undefined;
    return demand.kind === "json" ? wrongText(demand, steps) : wrongCall(demand, steps);
  });
  if (wrong === undefined) return;
  const asked = demand.kind === "json" ? jsonOf(demand) : `a call of ${functionOf(demand)}`;
  warned?.(
    `A chat asked for ${asked}, but the script ${showText(script)} answers with ${wrong}: ${adviceFor(demand, randomFor)}`,
  );
}

function firstOf<Item, Found>(
  items: readonly Item[],
  find: (item: Item) => Found | undefined,
): Found | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * What is wrong with a text that should be JSON. Undefined: nothing, as for an answer with calls or without any text.
 */
function wrongText({ schema }: JsonDemand, steps: readonly Step[]): string | undefined {
  const text = textIn(steps, "content");
  if (text === null || callsIn(steps).length > 0) return undefined;
  const value = parseJson(text);
  if (value === undefined) return "plain text";
  if (schema === undefined) return isObject(value) ? undefined : "JSON that is no object";
  const misfit = misfitOf(schema, value as JsonValue);
  return misfit === undefined ? undefined : `JSON that does not fit (${misfit})`;
}

function wrongCall({ name, isFree }: CallDemand, steps: readonly Step[]): string | undefined {
  const calls = callsIn(steps);
  if (calls.length > 0) {
    const called = isFree || calls.some((call) => call.name === name);
    return called ? undefined : `a call of ${showText(calls[0]?.name ?? "")}`;
  }
  return textIn(steps, "content") === null ? undefined : "plain text";
}

function valueFor(
  demand: Demand,
  request: ChatRequest,
  randomFor: ChatContext["randomFor"],
): MadeValue {
  const { kind, schema } = demand;
  if (schema !== undefined) return makeValue(schema, randomFor(seedText(request)));
  if (isInput(demand)) return { value: lastUserText(request) ?? "", misfit: undefined };
  const value = kind === "json" ? { echo: lastUserText(request) ?? "" } : {};
  return { value, misfit: undefined };
}

/**
 * The seed of the made-up value. `stream` is left out, so that the stream and the JSON of one request have the same
 * value.
 */
function seedText({ options }: ChatRequest): string {
  const { stream: _stream, stream_options: _options, ...rest } = options;
  return JSON.stringify(rest);
}

function jsonOf({ name, schema }: JsonDemand): string {
  if (schema === undefined) return "JSON";
  return name === undefined ? "JSON of a schema" : `JSON of the schema ${showText(name)}`;
}

function functionOf({ type, name, isFree }: CallDemand): string {
  const noun = type === "custom" ? "custom tool" : "function";
  return isFree ? `a ${noun}` : `the ${noun} ${showText(name)}`;
}

/** Whether a demand is for the input of a custom tool, which is plain text instead of JSON. */
function isInput(demand: Demand): boolean {
  return demand.kind === "call" && demand.type === "custom";
}

/** The most characters of a value in a warning. */
const mostShown = 200;

/** Advice on the script to write. The messages do not change it, so that the log shows it only once. */
function adviceFor(demand: Demand, randomFor: ChatContext["randomFor"]): string {
  const { schema } = demand;
  const example = schema && JSON.stringify(makeValue(schema, randomFor("")).value);
  const shown = example === undefined || example.length > mostShown ? "{ … }" : example;
  if (demand.kind === "json") return `write a script with "reply": { "content": ${shown} }.`;
  if (demand.type === "custom") {
    return `write a script with "reply": { "toolCalls": [{ "type": "custom", "name": ${JSON.stringify(demand.name)}, "input": ${example ?? '"…"'} }] }.`;
  }
  return `write a script with "reply": { "toolCalls": [{ "name": ${JSON.stringify(demand.name)}, "arguments": ${shown} }] }.`;
}
