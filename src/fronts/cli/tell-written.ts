import type { Io } from "./io.ts";
import { styleFor } from "./style.ts";

/** Tells that the state was written to a file. */
export function tellWritten(file: string, { stderr, env }: Pick<Io, "stderr" | "env">): void {
  const { green } = styleFor(stderr, env);
  stderr.write(`${green("wrote")} the state to ${file}\n`);
}
