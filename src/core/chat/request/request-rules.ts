import type { ChatMessage } from "./chat-request.ts";
import type { JsonObject } from "../../schema/json.ts";
import type { ChatError } from "../errors.ts";
import type { Shape } from "./shape.ts";

/** What a request for a completion has to be, in the order in which that is looked at. */
export interface RequestRules {
  /** Why a body of this content type is not read, or nothing. */
  readonly refuseMediaType: (type: string | undefined) => ChatError | undefined;
  /** What the body is: an object of arguments. */
  readonly body: Shape;
  /** Arguments that do not go together, in a body that is of its shape. */
  readonly refuseTogether: (body: JsonObject) => ChatError | undefined;
  /** Messages that do not follow each other, looked at once the model is known. */
  readonly refuseOrder: (messages: readonly ChatMessage[]) => ChatError | undefined;
}
