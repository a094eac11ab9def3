import { expect, test } from "vitest";
import { documentAnswers } from "../../../src/core/tables/document/answer.ts";
import { failTables, refuseUnrecordedRow } from "../../../src/core/tables/answer-tables.ts";
import { starbasedbAnswers } from "../../../src/extras/starbasedb/answer.ts";
import { call } from "../../support/calls.ts";
import { jsonOf } from "./ask.ts";

const planned = {
  status: 503,
  message: "Out of order.",
  isWorded: true,
  waitMs: undefined,
  headers: { "retry-after": "5" },
};
const documented = { answers: documentAnswers, cors: true };
const observed = { answers: starbasedbAnswers, cors: true };
const open = { "access-control-allow-origin": "*" };

test("answers a planned error in the envelope of the profile", () => {
  const replies = [documented, observed].map((context) =>
    failTables(call("GET", "/users"), planned, context),
  );
  expect(replies.map(jsonOf)).toEqual([
    { error: "Out of order.", code: "planned_fault" },
    { error: "Out of order." },
  ]);
  expect(replies).toMatchObject(
    [planned, planned].map(({ status, headers }) => ({ status, headers })),
  );
});

test("refuses what is not recorded in the envelope of the profile", () => {
  const replies = [documented, observed].map((context) =>
    refuseUnrecordedRow(call("GET", "/users"), "Nobody recorded it.", context),
  );
  expect(replies.map(({ status }) => status)).toEqual([404, 404]);
  expect(replies.map(jsonOf)).toEqual([
    { error: "Nobody recorded it.", code: "not_recorded" },
    { error: "Nobody recorded it." },
  ]);
});

test("lets pages of other origins read a planned error and its headers where the profile has CORS", () => {
  const get = call("GET", "/users");
  const shown = failTables(get, planned, documented).headers;
  expect(shown).toMatchObject({ ...open, "access-control-expose-headers": "retry-after" });
  for (const context of [{ ...documented, cors: false }, observed]) {
    expect(failTables(get, planned, context).headers).not.toHaveProperty(Object.keys(open));
  }
});

test("lets pages of other origins read the refusal of what is not recorded", () => {
  const get = call("GET", "/users");
  const { headers } = refuseUnrecordedRow(get, "Nobody recorded it.", documented);
  expect(headers).toEqual({ "content-type": "application/json", ...open });
  for (const context of [{ ...documented, cors: false }, observed]) {
    const refused = refuseUnrecordedRow(get, "Nobody recorded it.", context);
    expect(refused.headers).not.toHaveProperty(Object.keys(open));
  }
});

test("answers HEAD without a body", () => {
  const head = call("HEAD", "/users");
  const failed = failTables(head, planned, documented);
  const refused = refuseUnrecordedRow(head, "Nobody recorded it.", documented);
  expect([failed.body, refused.body]).toEqual([{ kind: "none" }, { kind: "none" }]);
  expect([failed.status, refused.status]).toEqual([503, 404]);
});

test.each([
  ["/users", true, true],
  ["/users/1", true, true],
  ["/us%65rs", true, false],
  ["/Users", false, true],
  ["/orders", false, false],
  ["/", false, false],
  ["/users/1/2", false, true],
])("knows whether %s is a path of the table users", (path, isDocumented, isObserved) => {
  expect(documentAnswers.faults.isOfTable(path, "users")).toBe(isDocumented);
  expect(starbasedbAnswers.faults.isOfTable(path, "users")).toBe(isObserved);
});
