import type { WireFaults } from "../../core/chat/faults/fault-effects.ts";
import { type Frame, textOf } from "../../core/http/event-stream.ts";
import { asObject, type JsonObject, parseJson } from "../../core/schema/json.ts";

/**
 * How faults show in Responses. An error is sent as an event of its own, followed by a failed response, as recorded
 * from the service.
 */
export const responsesFaults: WireFaults = {
  lastEvents: ({ message, type, param, code, extra }, sent) => {
    const events = sent.map((frame) => dataOf(frame)).filter((data) => data !== undefined);
    const begun = events.map((data) => asObject(data["response"])).find((found) => found);
    const next = events.length;
    const said = { type, code, message, param, ...extra };
    const error = { type: "error", sequence_number: next, error: said };
    if (begun === undefined) return eventOf("error", error);
    const response = {
      ...begun,
      status: "failed",
      error: { code: code ?? "server_error", message },
    };
    const failed = { type: "response.failed", response, sequence_number: next + 1 };
    return eventOf("error", error) + eventOf("response.failed", failed);
  },
  withoutEnd: (text) =>
    JSON.stringify({
      ...asObject(parseJson(text)),
      status: "in_progress",
      completed_at: null,
      usage: null,
    }),
  kindOf: (event) => {
    if (/"type": ?"response\.(?:completed|incomplete|failed)"/.test(event)) return "finish";
    return /^data:/m.test(event) ? "chunk" : "aside";
  },
};

function eventOf(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** The data of an event. Undefined: the data is no object. */
function dataOf(frame: Frame): JsonObject | undefined {
  const [, data = ""] = /^data: ?(.*)$/m.exec(textOf(frame)) ?? [];
  return asObject(parseJson(data));
}
