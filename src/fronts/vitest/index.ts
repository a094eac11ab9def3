import { expect } from "vitest";
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

declare module "vitest" {
  // The name and the parameter are vitest's; matchers of other libraries merge into it as well.
  interface Matchers<T> extends JournalMatchers {}

  interface ProvidedContext {
    /** The URL of the server of `serveTests`. Undefined, despite its type, without such a global setup. */
    readonly backlot: string;
  }
}

expect.extend(journalMatchers);
