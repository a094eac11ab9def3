import type { JsonObject } from "../../core/schema/json.ts";

/** Something that happens while an answer is written, without its place in the sequence. */
export interface ResponseEvent {
  readonly type: string;
  /** Its keys besides type and number. */
  readonly fields: JsonObject;
  /** Whether it has a piece of the answer. */
  readonly isDelta: boolean;
}
