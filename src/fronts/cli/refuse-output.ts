import { resolve, sep } from "node:path";
import { EmulatorError } from "../../core/errors/emulator-error.ts";
import { placeOf } from "../../core/fixture-set/folder-layout.ts";
import { exists, type FixturePlace, isBuiltIn } from "../node/fixture-place.ts";
import type { GenerateOptions } from "./generate-options.ts";
import { pathBelow } from "./real-path.ts";

/** Throws `ERR_OPTION_INVALID` where rows would overwrite something, or would make fixtures wrong that are right. */
export function refuseOutput(
  { table, out, force }: GenerateOptions,
  place: FixturePlace,
  cwd: string,
): void {
  if (out === "-") return;
  if (out === undefined) {
    if (!isBuiltIn(place, cwd)) return;
    throw refusal(
      "Cannot write into the built-in set. Run backlot init for fixtures of your own, or name a file: --out rows.json.",
    );
  }
  if (isPartOf(place, resolve(cwd, out), cwd)) {
    throw refusal(
      `Cannot write ${JSON.stringify(out)}: it would be read as a part of the fixtures, which have the table ${JSON.stringify(table)} already. Leave out --out to add the rows to that, or name a file elsewhere.`,
    );
  }
  if (force === true || !exists(out, cwd)) return;
  throw refusal(
    `Cannot write ${JSON.stringify(out)}: it is there already. Name another file, or give --force to overwrite it.`,
  );
}

function refusal(message: string): EmulatorError {
  return new EmulatorError("ERR_OPTION_INVALID", message);
}

/** Whether a file is, or would be, read when these fixtures are. */
function isPartOf(place: FixturePlace, out: string, cwd: string): boolean {
  const below = pathBelow(out, resolve(cwd, place.path));
  if (below === undefined) return false;
  return below === "" || placeOf(below.split(sep).join("/")).kind !== "ignored";
}
