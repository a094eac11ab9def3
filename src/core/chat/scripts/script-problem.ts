/** What is wrong with a script of the right form, and at which keys. */
export interface ScriptProblem {
  /** Keys and places from the script down, such as `["when", "user", "regex"]`. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}
