import type { Model } from "../chat/models.ts";
import { showText, showValue } from "../errors/show.ts";
import { check } from "../schema/schema.ts";
import { modelSchema } from "./format/model-format.ts";
import { refuseRewritten } from "./json/json-copy.ts";
import type { Findings } from "../schema/findings.ts";

/** 2024-01-01. Not the time of the start: fixtures give the same list each time. */
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
      const message = `Another model has the id ${showText(model.id)}. Give each model its own.`;
      findings.report([...path, "id"], message);
    }
    ids.add(model.id);
    return [{ owned_by: "backlot", created: defaultCreated, kind: "chat", ...model }];
  });
}
