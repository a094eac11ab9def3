import type { Model } from "../../chat/models.ts";
import { count, nonEmptyText, oneOf, positiveCount, text } from "../../schema/values.ts";
import { closedObject, optional, required } from "../../schema/objects.ts";
import type { Schema } from "../../schema/schema.ts";

/** A model as it is written: all but the id may be left out. */
export interface ModelInput extends Partial<Model> {
  readonly id: string;
}

/** An entry of the model list. */
export const modelSchema: Schema<ModelInput> = closedObject({
  id: required(nonEmptyText, "What requests name. Unique."),
  variant: optional(nonEmptyText, "The more specific id that replies name as their model."),
  owned_by: optional(text, "Whose it is, as the list says. Default: `backlot`."),
  created: optional(count, "Unix time in seconds. Default: 2024-01-01."),
  contextLength: optional(positiveCount, "Tokens that a request and its reply may have together."),
  kind: optional(oneOf(["chat", "embedding"]), "Only chat models answer chats. Default: `chat`."),
});
