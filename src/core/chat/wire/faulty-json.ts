import { noAnswer, type Reply } from "../../http/reply.ts";
import type { StreamEnd } from "../../http/event-stream.ts";
import type { Completion, Step } from "../completion/completion.ts";
import { happens } from "./draw-faults.ts";
import { errorReply } from "../errors.ts";
import { faultError } from "./fault-error.ts";
import type { Fault, FaultKind } from "../scripts/script.ts";

/** A fault of a reply that is not streamed, which has no chunks: part of it comes first, or nothing. */
export interface JsonFault {
  readonly fault: Fault;
  readonly partFirst: boolean;
}

/** The faults of a completion in their order, for a reply that is not streamed. */
export function jsonFaults({ fault, choices }: Completion): readonly JsonFault[] {
  const said = new Set(choices.map(({ steps }) => steps));
  const faults = [...said].flatMap(faultsIn);
  return fault === undefined ? faults : [faultOf(fault), ...faults];
}

function faultOf(fault: Fault): JsonFault {
  return { fault, partFirst: (fault.afterChunks ?? 0) > 0 };
}

function faultsIn(steps: readonly Step[]): readonly JsonFault[] {
  let partFirst = false;
  return steps.flatMap((step) => {
    if (step.kind === "fault") return [{ fault: step.fault, partFirst }];
    partFirst ||= "whole" in step || step.kind === "toolCall";
    return [];
  });
}

/** How the body ends of which only a part comes. */
const endings: Partial<Readonly<Record<FaultKind, StreamEnd>>> = {
  stall: "hang",
  cut: "close",
  reset: "reset",
};

/** The kinds after which there is no whole answer. */
const ending: ReadonlySet<FaultKind> = new Set(["hang", "stall", "cut", "reset", "error"]);

/** A JSON reply that goes wrong. Of the faults that leave no whole answer the first counts. */
export function faultyJson(reply: Reply, faults: readonly JsonFault[]): Reply {
  const kinds = new Set(faults.map(({ fault }) => fault.kind));
  const whole = kinds.has("noFinish") ? withoutFinish(reply) : reply;
  const first = faults.find(({ fault }) => ending.has(fault.kind));
  if (first !== undefined) return endEarly(whole, first);
  return kinds.has("malformed") ? malformed(whole) : whole;
}

/** An answer that is JSON in any case, such as an error, with the fault of its script if that happens. */
export function withFault(reply: Reply, fault: Fault | undefined, random: () => number): Reply {
  if (fault === undefined || !happens(fault, random)) return reply;
  return faultyJson(reply, [faultOf(fault)]);
}

function endEarly(reply: Reply, { fault, partFirst }: JsonFault): Reply {
  const { headers, delayMs, answeredBy } = reply;
  const kept = {
    ...(delayMs === undefined ? {} : { delayMs }),
    ...(answeredBy === undefined ? {} : { answeredBy }),
  };
  if (fault.kind === "hang") return { ...noAnswer("hang"), ...kept };
  if (fault.kind === "error") return { ...errorReply({ ...faultError(fault), headers }), ...kept };
  if (fault.kind === "reset" && !partFirst) return { ...noAnswer("reset"), ...kept };
  const frames = partFirst ? [{ at: 0, data: firstHalf(textOf(reply)) }] : [];
  const end = { how: endings[fault.kind] ?? "close", at: 0 } as const;
  return { ...reply, body: { kind: "stream", stream: { frames, end } } };
}

/** The reply with no reason for the end of any choice. */
function withoutFinish(reply: Reply): Reply {
  const text = JSON.stringify(JSON.parse(textOf(reply)), (key, value: unknown) =>
    key === "finish_reason" ? null : value,
  );
  return { ...reply, body: { kind: "text", text } };
}

/** The reply without the last character of its body, which is never JSON then. */
function malformed(reply: Reply): Reply {
  return { ...reply, body: { kind: "text", text: textOf(reply).slice(0, -1) } };
}

function textOf({ body }: Reply): string {
  return body.kind === "text" ? body.text : "";
}

/** Half of a text, and no half of a character. */
function firstHalf(text: string): string {
  const half = text.length >> 1;
  const code = text.charCodeAt(half);
  return text.slice(0, code >= 0xdc00 && code <= 0xdfff ? half - 1 : half);
}
