import { setTimeout as delay } from "node:timers/promises";
import type { CollectedTest } from "./collected-tests.ts";
import type { Effort, StepGuard } from "./step-guard.ts";

/** How long a test may wait for what a change keeps from coming. */
const patienceMs = 3000;

export type Outcome =
  | { readonly kind: "passed" | "ran on" | "waited" }
  | { readonly kind: "failed"; readonly message: string };

/** Runs a test, which may take no more than this. */
export async function runTest(
  { run }: CollectedTest,
  guard: StepGuard,
  bounds: Effort,
): Promise<Outcome> {
  guard.begin(bounds);
  const outcome = await withPatience(run);
  return guard.hasEnded() ? { kind: "ran on" } : outcome;
}

async function withPatience(run: () => unknown): Promise<Outcome> {
  const ended = new AbortController();
  const late = delay(patienceMs, { kind: "waited" } as const, { signal: ended.signal });
  try {
    const passed = Promise.resolve(run()).then(() => ({ kind: "passed" }) as const);
    return await Promise.race([passed, late]);
  } catch (error) {
    return { kind: "failed", message: String(error) };
  } finally {
    late.catch(() => undefined);
    ended.abort();
  }
}

export function messageOf(outcome: Outcome): string {
  return outcome.kind === "failed" ? outcome.message : `It ${outcome.kind}.`;
}
