import { expect } from "vitest";
import { refuseOlder } from "../needs/refuse-older.ts";
import { type JournalMatchers, journalMatchers } from "./journal-matchers.ts";

export {
  type BacklotTest,
  createTest,
  type GivenEmulator,
  type RecordedEmulator,
  type ServedEmulator,
  type ServedTest,
  type TestSession,
} from "./create-test.ts";
export type { TestRecording } from "../node/recorded-test.ts";
export type { JournalCriteria } from "./journal-matchers.ts";
export { type JournalMatchers, journalMatchers };

declare global {
  namespace Chai {
    // Each vitest adds the methods of Chai's assertions to its own. Its interface for matchers has one type parameter
    // in vitest 3 and 4, two in 5, and does not exist before 3.2, so no declaration would merge with all of them.
    interface Assertion extends JournalMatchers {}
  }
}

declare module "vitest" {
  interface ProvidedContext {
    /** The URL of the server of `serveTests`. Undefined, despite its type, without such a global setup. */
    readonly backlot: string;
  }
}

refuseOlder("backlot/vitest", "vitest", import.meta.url);
expect.extend(journalMatchers);
