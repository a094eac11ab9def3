import { resolve } from "node:path";
import type { ErrorPayload } from "vite";
import { isEmulatorError, type Problem } from "../../core/errors/emulator-error.ts";

/**
 * The content of Vite's overlay for broken fixtures: every problem, and the place of the first.
 */
export function overlayFor(error: unknown, root: string): ErrorPayload {
  const message = error instanceof Error ? error.message : String(error);
  const problem = isEmulatorError(error) ? error.problems[0] : undefined;
  return {
    type: "error",
    err: { plugin: "backlot", message, stack: stackOf(error), ...placeOf(problem, root) },
  };
}

/** A stack leads to our own code, which only helps with our own bugs. */
function stackOf(error: unknown): string {
  return error instanceof Error && !isEmulatorError(error) ? (error.stack ?? "") : "";
}

type Place = Pick<ErrorPayload["err"], "id" | "loc">;

function placeOf(problem: Problem | undefined, root: string): Place {
  if (problem?.file === undefined) return {};
  const file = resolve(root, problem.file);
  const { line, column = 1 } = problem;
  if (line === undefined) return { id: file };
  return { id: file, loc: { file, line, column } };
}
