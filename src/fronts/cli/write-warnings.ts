import type { Problem } from "../../core/errors/emulator-error.ts";
import type { Io } from "./io.ts";
import { styleFor } from "./style.ts";

/** Tells what was left out of the fixtures, one line for each, apart from what the command itself prints. */
export function writeWarnings(warnings: readonly Problem[], io: Pick<Io, "stderr" | "env">): void {
  const { yellow } = styleFor(io.stderr, io.env);
  for (const { file, line = 1, column = 1, message } of warnings) {
    const place = file === undefined ? "" : `${file}:${line}:${column}: `;
    io.stderr.write(`${yellow("warning:")} ${place}${message}\n`);
  }
}
