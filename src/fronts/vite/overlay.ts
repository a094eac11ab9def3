import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { ErrorPayload } from "vite";
import { isEmulatorError, type Problem } from "../../core/errors/emulator-error.ts";

/**
 * The content of Vite's overlay for broken fixtures: every problem, the place of the first, and the lines around it.
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

type Place = Pick<ErrorPayload["err"], "id" | "loc" | "frame">;

function placeOf(problem: Problem | undefined, root: string): Place {
  if (problem?.file === undefined) return {};
  const file = resolve(root, problem.file);
  const { line, column = 1 } = problem;
  if (line === undefined) return { id: file };
  return { id: file, loc: { file, line, column }, ...frameOf(file, line, column) };
}

/** The number of lines shown before and after the wrong one. */
const around = 2;
/** A table may be one long line. */
const widest = 120;

/** The lines around a place, with a mark below it; empty if the file is gone. */
function frameOf(file: string, line: number, column: number): Pick<Place, "frame"> {
  const lines = linesOf(file);
  if (lines === undefined) return {};
  const first = Math.max(1, line - around);
  const shown = lines.slice(first - 1, line + around);
  const width = String(first + shown.length - 1).length;
  const start = Math.max(0, column - 1 - widest / 2);
  const numbered = shown.flatMap((text, index) => {
    const number = String(first + index).padStart(width);
    const row = `${number} | ${text.slice(start, start + widest)}`;
    return first + index === line
      ? [row, `${" ".repeat(width)} | ${" ".repeat(column - 1 - start)}^`]
      : [row];
  });
  return { frame: numbered.join("\n") };
}

function linesOf(file: string): readonly string[] | undefined {
  try {
    return readFileSync(file, "utf8").split(/\r?\n/);
  } catch {
    return undefined;
  }
}
