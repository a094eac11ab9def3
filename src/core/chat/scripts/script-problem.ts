import type { JsonPath } from "../../schema/json.ts";

/** A problem of a script with a valid form, and its keys from the script down. */
export interface ScriptProblem {
  readonly path: JsonPath;
  readonly message: string;
}
