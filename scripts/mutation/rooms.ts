export type RoomName = "store" | "http" | "rest" | "chat";

interface Room {
  /** Files and folders with the tests that have to notice. */
  readonly judges: readonly string[];
  /** Parts that are not changed. Default: none. */
  readonly without?: readonly string[];
}

export const rooms: Readonly<Record<RoomName, Room>> = {
  store: { judges: ["test/store"] },
  http: { judges: ["test/http"] },
  rest: { judges: ["test/rest", "scripts/mutation/recorded-cases.test.ts"] },
  // A change that has a loop over graphemes or tokens go on takes 20 seconds to be stopped.
  chat: { judges: ["test/chat"], without: ["src/chat/tokens/**"] },
};

export const roomNames: readonly RoomName[] = ["store", "http", "rest", "chat"];

/** Whether a test file takes part: those that ask thousands of random questions take too long for each change. */
export function isJudge(file: string): boolean {
  return file.endsWith(".test.ts") && !/oracle|property/.test(file);
}
