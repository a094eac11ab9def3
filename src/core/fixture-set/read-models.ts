import { largestVector, type Model } from "../chat/models.ts";
import { count, flag, nonEmptyText, number, oneOf, positiveCount, text } from "../schema/values.ts";
import { closedObject, optional, required } from "../schema/objects.ts";
import { check, type Schema, type Findings, withRule } from "../schema/schema.ts";
import { showText, showValue } from "../errors/show.ts";
import { refuseRewritten } from "./json/json-copy.ts";

/** A model as written. Only the id is required. */
export interface ModelInput extends Partial<Model> {
  readonly id: string;
}

/** An entry of the model list. */
export const modelSchema: Schema<ModelInput> = withRule(
  closedObject({
    id: required(nonEmptyText, "The unique id that requests name."),
    variant: optional(nonEmptyText, "The more specific id that replies name."),
    owned_by: optional(text, "The owner in the list. Default: `backlot`."),
    created: optional(count, "Unix time in seconds. Default: 2024-01-01."),
    contextLength: optional(positiveCount, "The most tokens of a request and its reply together."),
    kind: optional(
      oneOf(["chat", "embedding"]),
      "What requests the model answers: chats, or embeddings. Default: `chat`.",
    ),
    reasoning: optional(
      flag,
      "Whether the model reasons before it answers. Under `openai` such a model takes no `max_tokens`, `temperature` and the like. Default: true if its name begins with o1, o3 and so on, or with gpt-5 or later.",
    ),
    dimensions: optional(
      number({ whole: true, least: 1, most: largestVector }),
      "How many numbers an embedding model's vectors have. Default: as of OpenAI's model of that name, else 1536.",
    ),
  }),
  ({ kind, dimensions }, run) => {
    if (dimensions === undefined || kind === "embedding") return;
    run.refuse('Only a model of the kind "embedding" has dimensions.', "dimensions");
  },
);

/** 2024-01-01, a fixed date so that the model list of fixtures is always the same. */
const defaultCreated = 1_704_067_200;

/** Reads the model list. */
export function readModels(value: unknown, findings: Findings): readonly Model[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    findings.report(["models"], `"models" must be an array, but is ${showValue(value)}.`);
    return [];
  }
  const ids = new Set<string>();
  return value.flatMap((item: unknown, index): readonly Model[] => {
    const path = ["models", index];
    const model = check(modelSchema, item, { path, findings });
    if (model === undefined) return [];
    refuseRewritten(model, path, findings);
    if (ids.has(model.id)) {
      const message = `Another model has the id ${showText(model.id)}. Give each model its own id.`;
      findings.report([...path, "id"], message);
    }
    ids.add(model.id);
    return [{ owned_by: "backlot", created: defaultCreated, kind: "chat", ...model }];
  });
}
