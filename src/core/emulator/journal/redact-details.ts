import type { AnswerPlan, ClosestRecording, MissedScript, PlanTest } from "../../http/answerer.ts";
import { isSecretHeader, isSecretName } from "../../http/secret-names.ts";
import { withoutKeys } from "./own-keys.ts";
import { redactedValue } from "./redacted-value.ts";

/** Misses without the values of headers that carry keys, and without the emulator's own in any header. */
export function redactMisses(
  misses: readonly MissedScript[],
  keys: readonly string[],
): readonly MissedScript[] {
  return misses.map((miss) => {
    const failures = miss.failures.map((failure) => {
      const { criterion } = failure;
      if (!criterion.startsWith("header.")) return failure;
      if (isSecretHeader(criterion.slice(7))) {
        return { criterion, expected: redactedValue, seen: redactedValue };
      }
      return { ...failure, seen: withoutKeys(failure.seen, keys) };
    });
    return { ...miss, failures };
  });
}

/**
 * A plan without the values that columns are compared with which keep keys, and without the emulator's own: they come
 * from the query.
 */
export function redactPlan(plan: AnswerPlan, keys: readonly string[]): AnswerPlan {
  return { ...plan, tests: plan.tests.map((test) => redactTest(test, keys)) };
}

/** Differences without the emulator's own keys. Others were taken out when the request was compared. */
export function redactClosest(
  closest: ClosestRecording,
  keys: readonly string[],
): ClosestRecording {
  const differences = closest.differences.map(({ at, recorded, sent }) => ({
    at: withoutKeys(at, keys),
    ...(recorded === undefined ? {} : { recorded: withoutKeys(recorded, keys) }),
    ...(sent === undefined ? {} : { sent: withoutKeys(sent, keys) }),
  }));
  return { ...closest, differences };
}

function redactTest(test: PlanTest, keys: readonly string[]): PlanTest {
  const { column, operator, value, values } = test;
  const texts = value === undefined ? (values ?? []) : [value];
  const isHidden = isSecretName(column) || texts.some((text) => withoutKeys(text, keys) !== text);
  return isHidden ? { column, operator, value: redactedValue } : test;
}
