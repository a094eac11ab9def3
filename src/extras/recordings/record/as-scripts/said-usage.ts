import type { ScriptReply } from "../../../../core/chat/scripts/script.ts";
import { asObject, isPresent } from "../../../../core/schema/json.ts";
import type { Remark } from "./choice-script.ts";

const counts = ["prompt_tokens", "completion_tokens", "total_tokens"] as const;
const details = ["prompt_tokens_details", "completion_tokens_details"] as const;

/** The usage of an answer, as far as a script can say it. */
export function usageScript(given: unknown, remark: Remark): Pick<ScriptReply, "usage"> {
  const found = asObject(given);
  if (found === undefined) return {};
  const left: string[] = [];
  const usage: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(found)) {
    if (counts.some((name) => name === key) && isCount(value)) usage[key] = value;
    else if (details.some((name) => name === key)) keepDetails(key, value, { usage, left });
    else if (isPresent(value)) left.push(key);
  }
  if (left.length > 0) remark(`left out of its usage: ${left.join(", ")}`);
  return Object.keys(usage).length === 0 ? {} : { usage };
}

function keepDetails(
  key: string,
  value: unknown,
  { usage, left }: { readonly usage: Record<string, unknown>; readonly left: string[] },
): void {
  const entries = Object.entries(asObject(value) ?? {}).filter(([, count]) => isPresent(count));
  const kept = entries.filter(([name, count]) => name !== "" && isCount(count));
  for (const [name, count] of entries) if (!isCount(count)) left.push(`${key}.${name}`);
  if (kept.length > 0) usage[key] = Object.fromEntries(kept);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
