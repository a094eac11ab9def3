/** What reads what users write: fixtures, scripts and faults. Loaded with the first fixtures, and not before. */
export { checkTables } from "../fixtures/later-tables.ts";
export { readFixtureDocument } from "../fixtures/read-fixtures.ts";
export { readScript } from "../fixtures/read-script.ts";
export { addFault } from "./faults/add-fault.ts";

/** What reads the scripts and faults that are added while an emulator runs. */
export type Readers = Pick<typeof import("./readers.ts"), "readScript" | "addFault">;
