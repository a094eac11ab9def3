import type { JsonPath } from "../../schema/json.ts";

/** A problem of a script whose form is valid, and its path from the script down. */
export interface ScriptProblem {
  readonly path: JsonPath;
  readonly message: string;
}
