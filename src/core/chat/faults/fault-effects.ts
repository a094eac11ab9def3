import type { Frame } from "../../http/event-stream.ts";
import { noAnswer, type Reply } from "../../http/reply.ts";
import { type ChatError, errorReply, usualMessage } from "../errors.ts";
import type { Fault } from "../scripts/script.ts";
import { answerFault, type FaultKind } from "./fault-kinds.ts";

/** How faults show in one form of answers. */
export interface WireFaults {
  /** The last events of a stream that ends with an error. `sent` are the frames before the error. */
  readonly lastEvents: (error: ChatError, sent: readonly Frame[]) => string;
  /** The text of a JSON answer without what marks its end. */
  readonly withoutEnd: (text: string) => string;
  /** The kind of a stream's event, which its text shows. */
  readonly kindOf: (event: string) => "chunk" | "finish" | "done" | "aside";
}

/** The effects of a kind of fault. An absent key has no effect. */
export interface FaultEffect {
  /** The events that replace the next event of a stream. */
  readonly inPlaceOfNext?: (event: Frame) => readonly Frame[];
  /** The kind of events that are removed from a stream, wherever the fault is. */
  readonly lacks?: "finish" | "done";
  /** The last event of a stream that ends at the fault. */
  readonly lastEvent?: (fault: Fault, wire: WireFaults, sent: readonly Frame[]) => string;
  /** Changes the body of a JSON reply. The body is still valid JSON. */
  readonly inJson?: (reply: Reply, wire: WireFaults) => Reply;
  /** Changes the text of a JSON reply that is sent whole. */
  readonly inText?: (reply: Reply) => Reply;
  /** The answer that replaces a JSON reply which ends at the fault. Undefined: the part before the fault is sent. */
  readonly inPlaceOfJson?: (fault: Fault, reply: Reply, partFirst: boolean) => Reply | undefined;
}

/** The effects by kind of fault. The compiler demands an entry for a new kind. */
export const faultEffects: Readonly<Record<FaultKind, FaultEffect>> = {
  hang: { inPlaceOfJson: () => noAnswer("hang") },
  stall: {},
  cut: {},
  reset: { inPlaceOfJson: (_, __, partFirst) => (partFirst ? undefined : noAnswer("reset")) },
  malformed: {
    inPlaceOfNext: ({ at, data, isHeaded }) => [
      { at, data: breakEvent(data), ...(isHeaded === undefined ? {} : { isHeaded }) },
    ],
    inText: malformed,
  },
  duplicate: { inPlaceOfNext: (event) => [event, event] },
  error: {
    lastEvent: (fault, wire, sent) => wire.lastEvents(faultError(fault), sent),
    inPlaceOfJson: (fault, { headers }) => errorReply({ ...faultError(fault), headers }),
  },
  noFinish: { lacks: "finish", inJson: withoutFinish },
  noDone: { lacks: "done" },
};

/** An event without the last character of its data, which makes it invalid JSON. */
function breakEvent(data: Frame["data"]): Frame["data"] {
  if (typeof data !== "string") return data.subarray(0, -"}\n\n".length);
  return `${data.slice(0, -"}\n\n".length)}\n\n`;
}

function withoutFinish(reply: Reply, { withoutEnd }: WireFaults): Reply {
  const text = withoutEnd(textOf(reply));
  return { ...reply, body: { kind: "text", text }, fault: answerFault("noFinish") };
}

/** The reply without the last character of its body, which makes it invalid JSON. */
function malformed(reply: Reply): Reply {
  return {
    ...reply,
    body: { kind: "text", text: textOf(reply).slice(0, -1) },
    fault: answerFault("malformed"),
  };
}

/** The text of a JSON reply. */
export function textOf({ body }: Reply): string {
  return body.kind === "text" ? body.text : "";
}

/** The error that a fault of the kind `error` sends: the script's own, else a server error. */
function faultError({ error }: Fault): ChatError {
  return {
    status: 500,
    message: error?.message ?? usualMessage(500),
    type: error?.type ?? "server_error",
    param: error?.param ?? null,
    code: error?.code ?? null,
    extra: error?.extra,
  };
}

/** How faults show in chat completions, and in streams of any other service. */
export const chatFaults: WireFaults = {
  lastEvents: ({ message, type, param, code, extra }) =>
    `data: ${JSON.stringify({ error: { message, type, param, code, ...extra } })}\n\n`,
  /** Sets the finish reason of every choice to null. */
  withoutEnd: (text) =>
    JSON.stringify(JSON.parse(text), (key, value: unknown) =>
      key === "finish_reason" ? null : value,
    ),
  kindOf: (event) => {
    if (/^data: ?\[DONE\]/m.test(event)) return "done";
    if (/"finish_reason":"/.test(event)) return "finish";
    return /^data:/m.test(event) ? "chunk" : "aside";
  },
};
