import { expect } from "vitest";
import { type JournalMatchers, journalMatchers } from "./journal-matchers.ts";

export {
  type BacklotTest,
  createTest,
  type GivenEmulator,
  type ServedEmulator,
  type ServedTest,
  type TestSession,
} from "./create-test.ts";
export type { JournalCriteria } from "./criteria.ts";
export { type JournalMatchers, journalMatchers };

declare module "vitest" {
  // The name and the parameter are vitest's; matchers of another library merge into it as well.
  interface Matchers<T> extends JournalMatchers {}

  interface ProvidedContext {
    /** The URL of the server of `serveTests`. Undefined, in spite of its type, where no global setup provides it. */
    readonly backlot: string;
  }
}

expect.extend(journalMatchers);
