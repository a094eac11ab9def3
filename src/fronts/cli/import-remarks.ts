import { JsonPositions } from "../../core/fixture-set/json/json-positions.ts";
import { showPath } from "../../core/schema/json.ts";
import type { ImportRemark } from "../../extras/recordings/importers/imported.ts";
import type { Io } from "./io.ts";
import { styleFor } from "./terminal.ts";

/** Tells what could not be taken over, one line for each: file, line and column, the place in its structure, why. */
export function writeRemarks(
  remarks: readonly ImportRemark[],
  { file, text }: { readonly file: string; readonly text: string | undefined },
  { stderr, env }: Pick<Io, "stderr" | "env">,
): void {
  const { yellow } = styleFor(stderr, env);
  // A file is read with places only where there is something to tell.
  const positions =
    text === undefined || remarks.length === 0 ? undefined : new JsonPositions(text);
  for (const { path, message } of remarks) {
    const at = positions?.placeOf({ path, at: "key" });
    const place = at === undefined ? file : `${file}:${at.line}:${at.column}`;
    stderr.write(`${yellow("note:")} ${place}: ${showPath(path)}: ${message}\n`);
  }
}
