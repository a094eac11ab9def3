import type { JsonObject } from "../../core/schema/json.ts";

/** An event of a stream, without its sequence number. */
export interface ResponseEvent {
  readonly type: string;
  /** The event's keys besides its type and number. */
  readonly fields: JsonObject;
  /** Whether the event has a piece of the answer. */
  readonly isDelta: boolean;
}
