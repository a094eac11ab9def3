/** The readers of user input: fixtures, scripts and faults. Loaded with the first fixtures. */
export { readFixtureDocument } from "../fixture-set/read-fixtures.ts";
export { readScript } from "../fixture-set/read-script.ts";
export { addFault } from "./faults/read-fault-rule.ts";

/** The readers of scripts and faults that are added at run time. */
export type Readers = Pick<typeof import("./readers.ts"), "readScript" | "addFault">;
