import { faultKinds, type PlannedFaultKind } from "../../../core/chat/faults/fault-kinds.ts";
import type { FaultRule } from "../../../core/fixture-set/format/fault-format.ts";

/** A fault as someone types it. Empty texts are left out. */
export interface FaultDraft {
  readonly interface: "" | "rest" | "chat";
  readonly method: string;
  readonly path: string;
  readonly table: string;
  readonly times: string;
  readonly probability: string;
  readonly effect: "status" | "delay" | PlannedFaultKind;
  readonly status: string;
  readonly message: string;
  readonly retryAfterMs: string;
  readonly delay: "fixed" | "range" | "normal";
  /** Milliseconds; of a range the least, else the median. */
  readonly first: string;
  /** Of a range the most, else sigma. */
  readonly second: string;
}

export const firstFault: FaultDraft = {
  interface: "",
  method: "",
  path: "",
  table: "",
  times: "1",
  probability: "",
  effect: "status",
  status: "503",
  message: "",
  retryAfterMs: "",
  delay: "fixed",
  first: "1000",
  second: "",
};

/** The rule that a draft stands for. What does not fit is for the server to say. */
export function faultRule(draft: FaultDraft): object {
  const { interface: asked, method, path, table, times, probability } = draft;
  const given = {
    interface: asked,
    method,
    path,
    table,
    times: numberOf(times),
    probability: numberOf(probability),
    ...effectOf(draft),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ""));
}

function effectOf(draft: FaultDraft): object {
  switch (draft.effect) {
    case "status":
      return {
        status: numberOf(draft.status),
        message: draft.message,
        retryAfterMs: numberOf(draft.retryAfterMs),
      };
    case "delay":
      return { delayMs: delayOf(draft) };
    default:
      return { fault: draft.effect };
  }
}

function delayOf({ delay, first, second }: FaultDraft): unknown {
  const [low, high] = [numberOf(first), numberOf(second)];
  if (delay === "range") return { min: low, max: high };
  return delay === "normal" ? { median: low, sigma: high } : low;
}

/** A number where the text is one; else the text, which the server refuses with its reason. */
function numberOf(text: string): number | string {
  const trimmed = text.trim();
  return trimmed === "" || Number.isNaN(Number(trimmed)) ? trimmed : Number(trimmed);
}

/** A fault in few words: whom it hits. */
export function faultTarget(rule: FaultRule): string {
  const { interface: asked, method, path, table } = rule;
  const parts = [
    asked === undefined
      ? "any interface"
      : { tables: "tables", rest: "tables", chat: "chat" }[asked],
    ...(method === undefined ? [] : [method]),
    ...(path === undefined ? [] : [`${path}…`]),
    ...(table === undefined ? [] : [`table ${table}`]),
  ];
  return parts.join(" · ");
}

/** A fault in few words: what it does. */
export function effectText({ status, delayMs, fault, message }: FaultRule): string {
  const parts = [
    ...(delayMs === undefined ? [] : [`waits ${delayText(delayMs)}`]),
    ...(status === undefined
      ? []
      : [`answers ${status}${message === undefined ? "" : ` “${message}”`}`]),
    ...(fault === undefined ? [] : [faultKinds[fault].planned.done]),
  ];
  return parts.join(", then ");
}

function delayText(delay: NonNullable<FaultRule["delayMs"]>): string {
  if (typeof delay === "number") return `${delay} ms`;
  if ("min" in delay) return `${delay.min}–${delay.max} ms`;
  return `about ${delay.median} ms (σ ${delay.sigma})`;
}
