import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { curlOf } from "../../../src/extras/console/requests/curl.ts";
import { filterRequests, noFilter } from "../../../src/extras/console/requests/filter.ts";
import { entry } from "../../core/control/controlled.ts";

const setting = { root: "http://127.0.0.1:4010/@a", key: "local-token" };

test("writes a request as a curl line, with the key and without what curl sends anyway", () => {
  const asked = entry({
    query: "city=Lagos&limit=2",
    headers: {
      host: "127.0.0.1:4010",
      authorization: "Bearer ***",
      "user-agent": "node",
      "sec-fetch-mode": "cors",
      "x-backlot-session": "a",
      "x-tenant": "acme",
      cookie: "***",
    },
  });
  expect(curlOf(asked, setting)).toBe(
    "curl -sN 'http://127.0.0.1:4010/@a/rest/users?city=Lagos&limit=2' -H 'authorization: Bearer local-token' -H 'x-tenant: acme'",
  );
});

test.each([
  ["GET", null, "curl -sN http"],
  ["GET", "x", "curl -sN -X GET http"],
  ["POST", { a: 1 }, "curl -sN http"],
  ["POST", null, "curl -sN -X POST http"],
  ["HEAD", null, "curl -sN -I http"],
  ["PATCH", { a: 1 }, "curl -sN -X PATCH http"],
])(
  "names the method of %s with the body %j where curl would choose another",
  (method, body, start) => {
    expect(curlOf(entry({ method, body }), setting).startsWith(start)).toBe(true);
  },
);

test("sends no key that was not there", () => {
  expect(curlOf(entry({}), setting)).not.toContain("authorization");
  const withKey = entry({ headers: { authorization: "Bearer ***" } });
  expect(curlOf(withKey, { ...setting, key: null })).not.toContain("authorization");
});

test.each(["it's", '$HOME `id` \\ "x"', "a\nb", "!", "'''"])(
  "quotes the body %j for a shell",
  (text) => {
    const line = curlOf(entry({ method: "POST", body: { text } }), setting);
    const echoed = line.replace(/^curl/, "printf '%s\\n'");
    const words = execFileSync("sh", ["-c", echoed], { encoding: "utf8" });
    expect(words.trimEnd().split("\n").at(-1)).toBe(JSON.stringify({ text }));
  },
);

const journal = [
  entry({ id: "1", method: "GET", status: 200 }),
  entry({ id: "2", method: "POST", status: 404, path: "/rest/Orders" }),
  entry({ id: "3", interface: "chat", status: 0, path: "/v1/chat/completions" }),
  entry({ id: "4", query: "city=Lagos", headers: { "x-backlot-console": "1" } }),
];

test.each([
  [{}, ["3", "2", "1"]],
  [{ own: true }, ["4", "3", "2", "1"]],
  [{ interface: "chat" }, ["3"]],
  [{ method: "POST" }, ["2"]],
  [{ path: "orders " }, ["2"]],
  [{ path: "LAGOS", own: true }, ["4"]],
  [{ status: "4" }, ["2"]],
  [{ status: "404" }, ["2"]],
  [{ status: "0" }, ["3"]],
  [{ status: "2", method: "POST" }, []],
] as const)("shows by the filter %j the requests %j", (filter, ids) => {
  const shown = filterRequests(journal, { ...noFilter, ...filter });
  expect(shown.map(({ id }) => id)).toEqual(ids);
});
