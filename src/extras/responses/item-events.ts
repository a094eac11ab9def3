import { asObject, isObject, type JsonObject } from "../../core/schema/json.ts";
import type { ResponseEvent } from "./response-event.ts";

/** How an item of one type begins, and the events before it is done. */
interface ItemForm {
  /** The keys that are empty at first. */
  readonly empty?: (item: JsonObject) => JsonObject;
  readonly events?: (item: JsonObject, place: JsonObject) => readonly ResponseEvent[];
}

/** A whole item as the events that build it, as recorded. Each text is in one delta. */
export function itemEvents(item: JsonObject, outputIndex: number): readonly ResponseEvent[] {
  const { type, id, status } = item;
  const form = forms[String(type)] ?? {};
  const begun = {
    ...item,
    ...(status === undefined ? {} : { status: "in_progress" }),
    ...form.empty?.(item),
  };
  const place = { item_id: id, output_index: outputIndex };
  return [
    told("response.output_item.added", { item: begun, output_index: outputIndex }),
    ...(form.events?.(item, place) ?? []),
    told("response.output_item.done", { item, output_index: outputIndex }),
  ];
}

function told(type: string, fields: JsonObject): ResponseEvent {
  return { type, fields, isDelta: false };
}

function delta(type: string, fields: JsonObject): ResponseEvent {
  return { type, fields, isDelta: true };
}

/** The events for the states of a call that the service runs, in order. */
function states(...types: readonly string[]): Required<ItemForm>["events"] {
  return (_, place) => types.map((type) => told(`response.${type}`, place));
}

/** The events of a text: a delta, and the whole text under `key` at the end. */
function textEvents(type: string, place: JsonObject, key: string, text: unknown): ResponseEvent[] {
  return [
    delta(`response.${type}.delta`, { ...place, delta: text }),
    told(`response.${type}.done`, { ...place, [key]: text }),
  ];
}

const forms: Readonly<Record<string, ItemForm>> = {
  message: {
    empty: () => ({ content: [] }),
    events: ({ content }, place) => objectsIn(content).flatMap(partEvents(place)),
  },
  reasoning: {
    empty: () => ({ summary: [] }),
    events: ({ summary }, place) => objectsIn(summary).flatMap(summaryEvents(place)),
  },
  function_call: {
    empty: () => ({ arguments: "" }),
    events: ({ arguments: text }, place) =>
      textEvents("function_call_arguments", place, "arguments", text),
  },
  custom_tool_call: {
    empty: () => ({ input: "" }),
    events: ({ input }, place) => textEvents("custom_tool_call_input", place, "input", input),
  },
  web_search_call: {
    empty: () => ({ action: undefined }),
    events: states(
      "web_search_call.in_progress",
      "web_search_call.searching",
      "web_search_call.completed",
    ),
  },
  file_search_call: {
    empty: () => ({ queries: [], results: null }),
    events: states(
      "file_search_call.in_progress",
      "file_search_call.searching",
      "file_search_call.completed",
    ),
  },
  image_generation_call: {
    empty: () => ({ result: null }),
    events: states(
      "image_generation_call.in_progress",
      "image_generation_call.generating",
      "image_generation_call.completed",
    ),
  },
  code_interpreter_call: {
    empty: () => ({ code: "", outputs: [] }),
    events: ({ code }, place) => [
      told("response.code_interpreter_call.in_progress", place),
      ...textEvents("code_interpreter_call_code", place, "code", code),
      told("response.code_interpreter_call.interpreting", place),
      told("response.code_interpreter_call.completed", place),
    ],
  },
  mcp_list_tools: {
    empty: () => ({ tools: [] }),
    events: states("mcp_list_tools.in_progress", "mcp_list_tools.completed"),
  },
  mcp_call: {
    empty: () => ({ arguments: "", output: null }),
    events: ({ arguments: text }, place) => [
      told("response.mcp_call.in_progress", place),
      ...textEvents("mcp_call_arguments", place, "arguments", text),
      told("response.mcp_call.completed", place),
    ],
  },
  apply_patch_call: {
    empty: ({ operation }) => ({ operation: { ...asObject(operation), diff: "" } }),
    events: ({ operation }, place) =>
      textEvents("apply_patch_call_operation_diff", place, "diff", asObject(operation)?.["diff"]),
  },
  shell_call: {
    empty: ({ action }) => ({ action: { ...asObject(action), commands: [] } }),
    events: ({ action }, { output_index: index }) =>
      listIn(asObject(action)?.["commands"]).flatMap((command, place) => {
        const at = { command_index: place, output_index: index };
        return [
          told("response.shell_call_command.added", { command: "", ...at }),
          ...textEvents("shell_call_command", at, "command", command),
        ];
      }),
  },
  shell_call_output: {
    empty: ({ status }) => ({ output: [], status }),
    events: ({ output }, place) =>
      objectsIn(output).flatMap(({ stdout }, index) => [
        delta("response.shell_call_output_content.delta", {
          ...place,
          command_index: index,
          delta: { stdout },
        }),
        told("response.shell_call_output_content.done", { ...place, command_index: index, output }),
      ]),
  },
  tool_search_call: { empty: () => ({ arguments: {} }) },
  program: { empty: () => ({ code: "" }) },
  program_output: { empty: ({ status }) => ({ result: "", status }) },
};

function partEvents(place: JsonObject): (part: JsonObject, index: number) => ResponseEvent[] {
  return (part, index) => {
    const at = { content_index: index, ...place };
    if (part["type"] === "refusal") return refusalEvents(part, at);
    const { text, logprobs = [] } = part;
    return [
      told("response.content_part.added", { ...at, part: { ...part, annotations: [], text: "" } }),
      ...annotatedEvents(part, { ...at, logprobs: [] }),
      told("response.output_text.done", { ...at, logprobs, text }),
      told("response.content_part.done", { ...at, part }),
    ];
  };
}

/** The events of a text with annotations. Each annotation follows the piece that it is about. */
function annotatedEvents(part: JsonObject, { logprobs, ...at }: JsonObject): ResponseEvent[] {
  const text = String(part["text"]);
  const events: ResponseEvent[] = [];
  let place = 0;
  const sayUpTo = (end: number): void => {
    const piece = text.slice(place, end);
    if (piece !== "")
      events.push(delta("response.output_text.delta", { ...at, logprobs, delta: piece }));
    place = Math.max(place, end);
  };
  for (const [number, annotation] of objectsIn(part["annotations"]).entries()) {
    const { end_index: end, index } = annotation;
    sayUpTo(Number(end ?? index ?? text.length));
    const fields = { ...at, annotation_index: number, annotation };
    events.push(told("response.output_text.annotation.added", fields));
  }
  sayUpTo(text.length);
  return events;
}

function refusalEvents(part: JsonObject, at: JsonObject): ResponseEvent[] {
  return [
    told("response.content_part.added", { ...at, part: { ...part, refusal: "" } }),
    ...textEvents("refusal", at, "refusal", part["refusal"]),
    told("response.content_part.done", { ...at, part }),
  ];
}

function summaryEvents(place: JsonObject): (part: JsonObject, index: number) => ResponseEvent[] {
  return (part, index) => {
    const at = { ...place, summary_index: index };
    return [
      told("response.reasoning_summary_part.added", { ...at, part: { ...part, text: "" } }),
      ...textEvents("reasoning_summary_text", at, "text", part["text"]),
      told("response.reasoning_summary_part.done", { ...at, part }),
    ];
  };
}

function objectsIn(value: unknown): readonly JsonObject[] {
  return listIn(value).filter(isObject);
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
