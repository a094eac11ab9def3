import type { AnswerPlan, MissedScript, PlanTest } from "../../http/answerer.ts";
import { isSecretName, redactedValue } from "./secret-names.ts";

/** Misses without the values of headers that carry keys. */
export function redactMisses(misses: readonly MissedScript[]): readonly MissedScript[] {
  return misses.map((miss) => {
    const failures = miss.failures.map((failure) => {
      const { criterion } = failure;
      const isSecret = criterion.startsWith("header.") && isSecretName(criterion.slice(7));
      return isSecret ? { criterion, expected: redactedValue, seen: redactedValue } : failure;
    });
    return { ...miss, failures };
  });
}

/** A plan without the values that columns are compared with which keep keys: they come from the query. */
export function redactPlan(plan: AnswerPlan): AnswerPlan {
  return { ...plan, tests: plan.tests.map(redactTest) };
}

function redactTest(test: PlanTest): PlanTest {
  const { column, operator } = test;
  return isSecretName(column) ? { column, operator, value: redactedValue } : test;
}
