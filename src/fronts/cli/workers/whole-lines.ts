import type { Readable } from "node:stream";
import type { Output } from "../io.ts";

/** Passes on what a process prints, line by line, so that lines of several do not run into each other. */
export function passLines(from: Readable, { write }: Pick<Output, "write">): void {
  let rest = "";
  from.setEncoding("utf8");
  from.on("data", (text: string) => {
    const end = text.lastIndexOf("\n") + 1;
    if (end > 0) write(rest + text.slice(0, end));
    rest = end > 0 ? text.slice(end) : rest + text;
  });
  from.once("end", () => {
    if (rest !== "") write(`${rest}\n`);
  });
}
