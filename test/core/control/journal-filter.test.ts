import { expect, test } from "vitest";
import { askControl, entry, controlled } from "./controlled.ts";

const entries = [
  entry({ id: "1", at: "2024-01-01T00:00:00.000Z" }),
  entry({ id: "2", at: "2024-01-01T00:00:01.000Z", method: "POST", status: 201 }),
  entry({ id: "3", at: "2024-01-01T00:00:02.500Z", interface: "chat", path: "/v1/models" }),
  entry({ id: "4", at: "2024-01-01T00:00:03.000Z", interface: "chat", status: 0 }),
];

async function ids(query: string): Promise<string> {
  const { body } = await askControl(`GET /requests${query}`, controlled({ entries }));
  return [...JSON.stringify(body).matchAll(/"id":"(\d)"/g)].map(([, id]) => id).join("");
}

test.each([
  ["", "1234"],
  ["?interface=chat", "34"],
  ["?interface=tables", "12"],
  ["?method=POST", "2"],
  ["?path=/rest", "124"],
  ["?path=/v1/models", "3"],
  ["?path=%2Fv1", "3"],
  ["?status=200", "13"],
  ["?status=0", "4"],
  ["?since=2", "34"],
  ["?since=4", ""],
  ["?since=1704067201000", "234"],
  ["?since=2024-01-01T00:00:01Z", "234"],
  ["?since=2024-01-01T01:00:02.5%2B01:00", "34"],
  ["?since=2024-01-02", ""],
  ["?limit=2", "12"],
  ["?limit=0", ""],
  ["?limit=99999999999999999999", "1234"],
  ["?since=1&interface=chat&limit=1", "3"],
  ["?last=2", "34"],
  ["?last=2&skip=1", "23"],
  ["?last=3&skip=3", "1"],
  ["?last=3&skip=9", ""],
  ["?last=1&interface=tables", "2"],
  ["?sessions=all&last=3", "234"],
])("lists by %s the requests %s", async (query, expected) => {
  expect(await ids(query)).toBe(expected);
});

test.each([
  ["interface=table", 'Did you mean "tables"?'],
  ["interface=", "Use tables, chat."],
  ["method=get", 'Did you mean "GET"?'],
  ["path=rest", "slash"],
  ["status=2xx", "not a status code"],
  ["status=700", "not a status code"],
  ["limit=-1", "whole number"],
  ["limit=1.5", "whole number"],
  ["last=a", "whole number"],
  ["sessions=all&since=2", "Give a time"],
  ["since=9", "neither a time"],
  ["since=17040672010", "12 digits"],
  ["since=2024-13-01", "neither a time"],
  ["since=2024-01-01T00:00:00+01:00", "%2B"],
])("refuses the filter %s", async (query, says) => {
  const answer = await askControl(`GET /requests?${query}`, controlled({ entries }));
  expect(answer).toMatchObject({ status: 400, code: "invalid_parameter" });
  expect(answer.body).toMatchObject({ error: { message: expect.stringContaining(says) } });
});

test("gives requests as they are in the journal", async () => {
  const answer = await askControl("GET /requests?limit=1", controlled({ entries }));
  expect(answer.body).toEqual({
    beganAt: "2024-01-01T00:00:00.000Z",
    reloads: [],
    requests: [entries[0]],
  });
});

test("empties the journal", async () => {
  const context = controlled({ entries });
  expect((await askControl("DELETE /requests", context)).status).toBe(204);
  expect((await askControl("GET /requests", context)).body).toMatchObject({ requests: [] });
});

test("lists summaries where bodies are not asked for", async () => {
  const headers = { "content-type": "application/json", "x-tenant": "acme" };
  const listed = { entries: [entry({ method: "POST", headers, body: { asked: 1 } })] };
  const { body } = await askControl("GET /requests?bodies=false", controlled(listed));
  expect(body).toMatchObject({ requests: [{ id: "1", method: "POST", status: 200, chat: null }] });
  expect(JSON.stringify(body)).not.toMatch(/asked|acme|"response"/);
  const whole = await askControl("GET /requests?bodies=true", controlled(listed));
  expect(whole.body).toMatchObject({ requests: [{ headers, body: { asked: 1 } }] });
});

test("refuses an archive without bodies", async () => {
  const answer = await askControl("GET /requests?format=har&bodies=false", controlled({ entries }));
  expect(answer).toMatchObject({ status: 400, code: "invalid_parameter" });
  expect(JSON.stringify(answer.body)).toContain("Leave out bodies=false");
});
