import { readJsonNodes } from "../../core/fixture-set/json/json-reader.ts";
import { offsetOf } from "../../core/fixture-set/json/json-path.ts";
import { showPath } from "../../core/schema/json.ts";
import { positionOf } from "../../core/fixture-set/json/text-position.ts";
import type { ImportRemark } from "../../extras/recordings/importers/imported.ts";
import type { Io } from "./io.ts";
import { styleFor } from "./style.ts";

/** Tells what could not be taken over, one line for each: file, line and column, the place in its structure, why. */
export function writeRemarks(
  remarks: readonly ImportRemark[],
  { file, text }: { readonly file: string; readonly text: string | undefined },
  { stderr, env }: Pick<Io, "stderr" | "env">,
): void {
  const { yellow } = styleFor(stderr, env);
  // A file is read with places only where there is something to tell.
  const root = text === undefined || remarks.length === 0 ? undefined : readJsonNodes(text, false);
  for (const { path, message } of remarks) {
    const { line, column } =
      root === undefined ? {} : positionOf(text ?? "", offsetOf(root, path, "key"));
    const place = line === undefined ? file : `${file}:${line}:${column}`;
    stderr.write(`${yellow("note:")} ${place}: ${showPath(path)}: ${message}\n`);
  }
}
