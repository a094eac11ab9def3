import type { Io } from "../io.ts";
import { styleFor } from "../../node/terminal-style.ts";
import type { Present } from "./write-once.ts";

/** Reports what was done with a file, depending on what was in its place. `what` is added to the name of a new file. */
export function report(shown: string, present: Present, io: Io, what: string = ""): void {
  const { green, dim } = styleFor(io.stdout, io.env);
  const line = {
    nothing: `${green("created")} ${shown}${what}`,
    beginning: `${green("completed")} ${shown}, of which only the beginning was there`,
    whole: `${dim("kept")} ${shown}`,
    other: `${dim("kept")} ${shown}, which is yours`,
  }[present];
  io.stdout.write(`${line}\n`);
}
