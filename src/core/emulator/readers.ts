/** What reads what users write: fixtures, scripts and faults. Loaded with the first fixtures, and not before. */
export { readFixtureDocument } from "../fixture-set/read-fixtures.ts";
export { readScript } from "../fixture-set/read-script.ts";
export { addFault } from "./faults/read-fault-rule.ts";

/** What reads the scripts and faults that are added while an emulator runs. */
export type Readers = Pick<typeof import("./readers.ts"), "readScript" | "addFault">;
