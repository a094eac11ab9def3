import { type ComparisonOperator, holds } from "../../core/store/filter.ts";
import { compileLike } from "../../core/store/like.ts";
import { compareText } from "../../core/store/text-order.ts";
import type { Constant } from "./term.ts";

/** What a condition compares, and by what. */
export type Comparison =
  | { readonly operator: ComparisonOperator | "like"; readonly value: string }
  | { readonly operator: "in"; readonly values: readonly string[] };

/**
 * Whether a constant passes a condition. The condition's values are texts and nothing converts them, so every
 * number is less than them. NULL passes nothing.
 */
export function constantPasses(constant: Constant, comparison: Comparison): boolean {
  if (constant.kind === "null") return false;
  const { text } = constant;
  const compare = (value: string): number =>
    constant.kind === "number" ? -1 : compareText(text, value);
  switch (comparison.operator) {
    case "like":
      return compileLike(comparison.value)(text);
    case "in":
      return comparison.values.some((value) => compare(value) === 0);
    default:
      return holds[comparison.operator](compare(comparison.value));
  }
}
