import { expect, test } from "vitest";
import { jsonLog, prettyLog } from "../../../src/fronts/cli/log.ts";
import { createEmulator } from "../../../src/index.ts";
import { redactHeaders, redactQuery } from "../../../src/core/emulator/journal/redaction.ts";
import { testIo } from "../../fronts/cli/test-io.ts";
import { readUntil } from "../../support/read-stream.ts";

/** In every place of a request where some client puts one. None of them begins like another. */
const token = "TOKEN-4f1d";
const apiKey = "APIKEY-9c2e";
const stranger = "STRANGER-77aa";

const fixtures = {
  AUTHORIZATION_TOKEN: token,
  apiKeys: [apiKey],
  models: [{ id: "atlas" }],
  tables: { users: [{ id: 1, name: "Ada", token: "x" }] },
  chats: [
    {
      name: "guarded",
      when: { header: { authorization: "Bearer WANTED", "x-api-key": "WANTED" } },
      reply: { content: "Hi." },
    },
  ],
};

const otherHeaders = {
  "x-api-key": stranger,
  "api-key": stranger,
  apikey: stranger,
  "x-goog-api-key": stranger,
  "ocp-apim-subscription-key": stranger,
  "proxy-authorization": `Basic ${stranger}`,
  cookie: `session=${stranger}`,
  "x-auth-token": stranger,
  "x-client-secret": stranger,
  "x-amz-security-token": stranger,
  referer: `http://app.test/?token=${stranger}`,
};

const query = `api_key=${stranger}&token=${token}&access_token.eq=${stranger}&Client-Secret=${stranger}&to%6Ben=${stranger}`;

type Profiles = NonNullable<Parameters<typeof createEmulator>[0]>["profiles"];

/** Everything that a service tells of requests which had keys wherever there is room for one. */
async function toldBy(profiles: Profiles): Promise<readonly string[]> {
  const ios = [testIo(), testIo()] as const;
  const logs = [prettyLog(ios[0]), jsonLog(ios[1])];
  const emulator = await createEmulator({
    fixtures,
    ...(profiles === undefined ? {} : { profiles }),
    observer: {
      exchanged: (record) => logs.forEach((log) => log.exchange?.(record)),
      warned: (message) => logs.forEach((log) => log.warned(message)),
    },
  });
  const control = async (path: string): Promise<string> => {
    const response = await emulator.fetch(`/__backlot${path}`, { headers: { host: "localhost" } });
    return response.text();
  };
  const live = await emulator.fetch("/__backlot/requests/live", { headers: { host: "localhost" } });
  const reader = live.body?.getReader();
  if (reader === undefined) throw new Error("The response has no body.");
  const watched = readUntil(reader, "\nid: 12\n");
  const body = JSON.stringify({ model: "atlas", messages: [{ role: "user", content: "x" }] });
  for (const key of [token, apiKey, stranger, `${stranger} more`]) {
    const headers = { ...otherHeaders, authorization: `Bearer ${key}` };
    await emulator.fetch(`/rest/users?${query}`, { headers });
    await emulator.fetch(`/rest/users?name=Ada&token=${key}`, { headers });
    const init = { method: "POST", body, headers };
    await emulator.fetch(`/v1/chat/completions?${query}`, init);
  }
  const told = [await watched, JSON.stringify(emulator.journal.list())];
  for (const path of ["/requests", "/requests?format=har", "/state"])
    told.push(await control(path));
  await reader.cancel();
  return [...told, ios[0].out(), ios[1].out()];
}

test.each([[undefined], [{ tables: "starbasedb", chat: "openai" } as const]])(
  "no key is in the journal, live or not, in the archive, the logs or the export [%j]",
  async (profiles) => {
    const told = await toldBy(profiles);
    expect(told).toHaveLength(7);
    for (const text of told) {
      expect(text.length).toBeGreaterThan(200);
      for (const key of [token, apiKey, stranger]) expect(text).not.toContain(key);
      if (!/^\{"(?:profiles|models)"/.test(text)) expect(text).not.toContain("WANTED");
    }
  },
);

test("tells that a script wants another key, and neither of the two", async () => {
  const emulator = await createEmulator({ fixtures, auth: false });
  const body = JSON.stringify({ model: "atlas", messages: [{ role: "user", content: "x" }] });
  const headers = { "x-api-key": stranger };
  await emulator.fetch("/v1/chat/completions", { method: "POST", body, headers });
  const [entry] = emulator.journal.list();
  expect(entry?.misses[0]?.failures).toEqual([
    { criterion: "header.authorization", expected: "***", seen: "***" },
    { criterion: "header.x-api-key", expected: "***", seen: "***" },
  ]);
});

test.each([
  ["", ""],
  ["limit=2&name.like=a%25", "limit=2&name.like=a%25"],
  [
    "max_tokens=5&prompt_tokens.gte=3&key=theme&author=x",
    "max_tokens=5&prompt_tokens.gte=3&key=theme&author=x",
  ],
  ["a=1&api_key=s&b", "a=1&api_key=***&b"],
  ["apiKey=s&API-KEY=s&access_token=s", "apiKey=***&API-KEY=***&access_token=***"],
  ["token.in=a,b&token", "token.in=***&token"],
  ["to%6ben=s&%zz=1&password=a=b", "to%6ben=***&%zz=1&password=***"],
  ["sig=s&X-Amz-Signature=s&client_secret=s", "sig=***&X-Amz-Signature=***&client_secret=***"],
  ["token[]=s&user[token]=s&token.EQ=s", "token[]=***&user[token]=***&token.EQ=***"],
  ["token.foo=s&to+ken=s&refresh_token_1=s", "token.foo=***&to+ken=s&refresh_token_1=***"],
  ["pass=s&AccessKeyId=s&ToKeN=s&auth=s", "pass=***&AccessKeyId=***&ToKeN=***&auth=***"],
  ["token_count=3&session_id=4&sort_key=5", "token_count=3&session_id=4&sort_key=5"],
])("shows the query of tables %s as %s", (query_, shown) => {
  expect(redactQuery(query_, { of: "tables" })).toBe(shown);
});

test("takes what is called a key for one where there are no columns", () => {
  const asked = "key=s&sort_key=s&sessionId=s&max_tokens=1";
  expect(redactQuery(asked, { of: "chat" })).toBe(
    "key=***&sort_key=***&sessionId=***&max_tokens=1",
  );
});

test.each([
  ["name=OWN-1", "name=***"],
  ["name.in=a,OWN%2D1&x=1", "name.in=***&x=1"],
  ["OWN-1", "***"],
  ["name=OWN-12&x=MY-OWN-1", "name=OWN-12&x=MY-OWN-1"],
  ["name=a(b", "name=***"],
])("shows no key of the emulator's own in %s, whatever the parameter is called", (asked, shown) => {
  expect(redactQuery(asked, { of: "tables", keys: ["OWN-1", "a(b"] })).toBe(shown);
});

test.each([
  ["authorization", "Bearer s", "Bearer ***"],
  ["authorization", "Basic dTpw", "Basic ***"],
  ["authorization", "correct horse battery", "***"],
  ["authorization", "s", "***"],
  ["x-api-key", "s", "***"],
  ["set-cookie", "a=s", "***"],
  ["idempotency-key", "abc", "abc"],
  ["x-ratelimit-remaining-tokens", "5", "5"],
  ["x-backlot-session", "test-7", "test-7"],
  ...["x-admin-key", "x-service-role-key", "x-api-key-2", "x-signing-key", "x-key", "dpop"].map(
    (name) => [name, "s", "***"],
  ),
  ...["x-session-id", "x-pass", "x-otp", "x-auth-user"].map((name) => [name, "s", "***"]),
  ["access-control-allow-credentials", "true", "true"],
  ["x-author", "Ada", "Ada"],
  ["referer", "http://a.test/?token=s&x=1", "http://a.test/?token=***&x=1"],
])("shows the header %s: %s as %s", (name, value, shown) => {
  expect(redactHeaders({ [name]: value })).toEqual({ [name]: shown });
});

test("shows none of its own keys in a header or a value of a query that nobody takes for one", async () => {
  const emulator = await createEmulator({ fixtures, controlToken: "CONTROL-51ab" });
  const told = [token, apiKey, "CONTROL-51ab"].join(" ");
  const headers = { authorization: `Bearer ${token}`, "x-note": told };
  await emulator.fetch(`/rest/users?name=${token}&name.in=a,${apiKey}`, { headers });
  const [entry] = emulator.journal.list();
  expect(entry?.headers["x-note"]).toBe("*** *** ***");
  expect(entry?.plan?.tests.length).toBeGreaterThan(0);
  for (const key of told.split(" ")) expect(JSON.stringify(entry)).not.toContain(key);
});
