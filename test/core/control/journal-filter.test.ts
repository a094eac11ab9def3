import { expect, test } from "vitest";
import { askControl, entry, handContext } from "./hand-context.ts";

const entries = [
  entry({ id: "a", at: "2024-01-01T00:00:00.000Z" }),
  entry({ id: "b", at: "2024-01-01T00:00:01.000Z", method: "POST", status: 201 }),
  entry({ id: "c", at: "2024-01-01T00:00:02.500Z", interface: "chat", path: "/v1/models" }),
  entry({ id: "d", at: "2024-01-01T00:00:03.000Z", interface: "chat", status: 0 }),
];

async function ids(query: string): Promise<string> {
  const { body } = await askControl(`GET /requests${query}`, handContext({ entries }));
  return [...JSON.stringify(body).matchAll(/"id":"(\w)"/g)].map(([, id]) => id).join("");
}

test.each([
  ["", "abcd"],
  ["?interface=chat", "cd"],
  ["?method=POST", "b"],
  ["?path=/rest", "abd"],
  ["?path=/v1/models", "c"],
  ["?path=%2Fv1", "c"],
  ["?status=200", "ac"],
  ["?status=0", "d"],
  ["?since=b", "cd"],
  ["?since=d", ""],
  ["?since=1704067201000", "bcd"],
  ["?since=2024-01-01T00:00:01Z", "bcd"],
  ["?since=2024-01-01T01:00:02.5%2B01:00", "cd"],
  ["?since=2024-01-02", ""],
  ["?limit=2", "ab"],
  ["?limit=0", ""],
  ["?limit=99999999999999999999", "abcd"],
  ["?since=a&interface=chat&limit=1", "c"],
])("lists by %s the requests %s", async (query, expected) => {
  expect(await ids(query)).toBe(expected);
});

test.each([
  ["interface=rests", 'Did you mean "rest"?'],
  ["interface=", "Use rest, chat."],
  ["method=get", 'Did you mean "GET"?'],
  ["path=rest", "slash"],
  ["status=2xx", "no status code"],
  ["status=700", "no status code"],
  ["limit=-1", "whole number"],
  ["limit=1.5", "whole number"],
  ["since=z", "neither a time"],
  ["since=17040672010", "12 digits"],
  ["since=2024-13-01", "neither a time"],
  ["since=2024-01-01T00:00:00+01:00", "%2B"],
])("refuses the filter %s", async (query, says) => {
  const answer = await askControl(`GET /requests?${query}`, handContext({ entries }));
  expect(answer).toMatchObject({ status: 400, code: "invalid_parameter" });
  expect(answer.body).toMatchObject({ error: { message: expect.stringContaining(says) } });
});

test("gives requests as they are in the journal", async () => {
  const answer = await askControl("GET /requests?limit=1", handContext({ entries }));
  expect(answer.body).toEqual({ beganAt: "2024-01-01T00:00:00.000Z", requests: [entries[0]] });
});

test("empties the journal", async () => {
  const context = handContext({ entries });
  expect((await askControl("DELETE /requests", context)).status).toBe(204);
  expect(context.done).toEqual(["clear"]);
});
