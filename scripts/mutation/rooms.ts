export type RoomName = "store" | "http" | "rest" | "chat";

interface Room {
  /** Files and folders with the tests that have to notice. */
  readonly judges: readonly string[];
}

export const rooms: Readonly<Record<RoomName, Room>> = {
  store: { judges: ["test/core/store"] },
  http: { judges: ["test/core/http"] },
  rest: { judges: ["test/core/rest", "scripts/mutation/recorded-cases.test.ts"] },
  chat: { judges: ["test/core/chat"] },
};

export const roomNames: readonly RoomName[] = ["store", "http", "rest", "chat"];

/** Tests that are no judges with few random cases: they fail where they did not see thousands of them. */
export const wantsManyCases: ReadonlySet<string> = new Set([
  "every text that an expression matches has one of its literals in it",
  "a `when` that covers another holds for every request that the other holds for",
]);

/** Whether a test file takes part. */
export function isJudge(file: string): boolean {
  return file.endsWith(".test.ts");
}
