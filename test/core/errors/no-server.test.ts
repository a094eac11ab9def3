import { expect, test } from "vitest";
import { noBacklotAnswers, serverUnreachable } from "../../../src/core/errors/no-server.ts";

const question = { what: "read it", url: "http://h", advice: "Start it." };

function failed(cause: unknown): Error {
  return new TypeError("fetch failed", { cause });
}

test.each<[string, unknown]>([
  [" (ECONNREFUSED)", failed(Object.assign(new Error("no"), { code: "ECONNREFUSED" }))],
  [" (EHOSTUNREACH)", failed({ errors: [{ code: "EHOSTUNREACH" }, { code: "EOTHER" }] })],
  [" (bad port)", failed(new Error("bad port"))],
  [" in time", new DOMException("late", "TimeoutError")],
  ["", new TypeError("fetch failed")],
  ["", "a text"],
])("says that nothing answers%s", (reason, cause) => {
  expect(serverUnreachable(question, cause)).toMatchObject({
    code: "ERR_SERVER_UNREACHABLE",
    message: `Cannot read it: nothing answers at http://h${reason}. Start it.`,
    cause,
  });
});

test("says what answered in place of a Backlot", () => {
  expect(noBacklotAnswers(question, 404)).toMatchObject({
    code: "ERR_SERVER_UNREACHABLE",
    message: "Cannot read it: the server at http://h (404) is not Backlot. Start it.",
  });
});
