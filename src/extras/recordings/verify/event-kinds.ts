import type { ServerSentEvent } from "../event-stream.ts";

/** An event as it is compared. */
export interface EventOfKind {
  /** `role`, `content`, `tool_calls`, `reasoning`, `refusal`, `finish`, `usage`, `error`, `chunk`, `[DONE]`, `text`, or its name. */
  readonly kind: string;
  /** What its data is as JSON. Undefined: it is none. */
  readonly json: unknown;
}

/** The keys of a delta that tell what a chunk brings, the first that holds. */
const deltaKinds: readonly (readonly [string, readonly string[]])[] = [
  ["role", ["role"]],
  ["tool_calls", ["tool_calls"]],
  ["reasoning", ["reasoning_content", "reasoning"]],
  ["refusal", ["refusal"]],
  ["content", ["content"]],
];

/** Tells what kind of event each is. */
export function kindsOf(events: readonly ServerSentEvent[]): readonly EventOfKind[] {
  return events.map(({ event, data }) => {
    if (data.trim() === "[DONE]") return { kind: "[DONE]", json: undefined };
    const json = parse(data);
    const kind = json === undefined ? "text" : kindOfJson(json);
    return { kind: event === undefined ? kind : `event ${event}`, json };
  });
}

/** The kinds in their order, each run of one kind once. */
export function orderOf(events: readonly EventOfKind[]): readonly string[] {
  const kinds = events.map(({ kind }) => kind);
  return kinds.filter((kind, index) => kind !== kinds[index - 1]);
}

function kindOfJson(json: unknown): string {
  if (has(json, "error")) return "error";
  const choices: unknown = property(json, "choices");
  if (!Array.isArray(choices)) return "chunk";
  if (choices.length === 0 && has(json, "usage")) return "usage";
  const list: readonly unknown[] = choices;
  if (list.some((choice) => has(choice, "finish_reason"))) return "finish";
  const deltas = list.map((choice) => property(choice, "delta"));
  const found = deltaKinds.find(([, keys]) =>
    deltas.some((delta) => keys.some((key) => has(delta, key))),
  );
  return found?.[0] ?? "chunk";
}

/** Whether there is something under a key, null excluded. */
function has(value: unknown, key: string): boolean {
  const found = property(value, key);
  return found !== undefined && found !== null;
}

function property(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  const entries: Readonly<Record<string, unknown>> = { ...value };
  return entries[key];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
