import { expect } from "vitest";
import { type JournalMatchers, journalMatchers } from "./journal-matchers.ts";

export {
  type BacklotTest,
  createTest,
  type GivenEmulator,
  type TestSession,
} from "./create-test.ts";
export type { JournalCriteria } from "./criteria.ts";
export { type JournalMatchers, journalMatchers };

declare module "vitest" {
  // The name and the parameter are vitest's; matchers of another library merge into it as well.
  interface Matchers<T> extends JournalMatchers {}
}

expect.extend(journalMatchers);
