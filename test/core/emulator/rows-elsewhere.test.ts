import { expect, test } from "vitest";
import { createEmulator, type EmulatorOptions } from "../../../src/index.ts";

const fixtures = {
  tables: {
    posts: [{ id: 1, title: "Kettle" }],
    comments: {
      columns: {
        id: "INTEGER",
        text: "TEXT",
        post_id: { type: "INTEGER", references: "posts.id" },
      },
      rows: [{ id: 1, text: "Nice.", post_id: 1 }],
    },
    "blog posts": [{ id: 1 }],
  },
};

async function refusal(
  path: string,
  options: Partial<EmulatorOptions> = {},
  init: RequestInit = {},
): Promise<readonly [number, string]> {
  const emulator = await createEmulator({ fixtures, ...options });
  const response = await emulator.fetch(`http://127.0.0.1${path}`, init);
  const { error } = await response.json();
  return [response.status, error.message];
}

const rowsOfPosts = 'The rows of "posts" are at';

test.each([
  ["/posts", `${rowsOfPosts} /rest/posts.`],
  ["/posts/", `${rowsOfPosts} /rest/posts.`],
  ["/posts?_limit=5", `${rowsOfPosts} /rest/posts.`],
  ["/posts/1", `${rowsOfPosts} /rest/posts/1.`],
  ["/posts/a%2Fb", `${rowsOfPosts} /rest/posts/a%2Fb.`],
  ["/v1/posts", `${rowsOfPosts} /v1/rest/posts.`],
  ["/api/posts", `${rowsOfPosts} /rest/posts.`],
  ["/api/v2/posts/1", `${rowsOfPosts} /rest/posts/1.`],
  ["/api/rest/posts", `${rowsOfPosts} /rest/posts.`],
  ["/@one/posts", `${rowsOfPosts} /@one/rest/posts.`],
  ["/@one/v1/posts/1", `${rowsOfPosts} /@one/v1/rest/posts/1.`],
  ["/blog%20posts/1", 'The rows of "blog posts" are at /rest/blog%20posts/1.'],
  ["/posts/1/comments", 'The rows of "comments" are at /rest/comments?post_id=1.'],
  ["/posts/1/comments/2", 'The rows of "comments" are at /rest/comments/2.'],
  ["/posts/1/pictures", `${rowsOfPosts} /rest/posts/1.`],
  ["/post", "Did you mean /rest/posts?"],
  ["/Posts/1", "Did you mean /rest/posts/1?"],
  ["/api/post", "Did you mean /rest/posts?"],
  ["/@one/post", "Did you mean /@one/rest/posts?"],
])("%s is 404 and leads to the rows", async (path, says) => {
  const [status, message] = await refusal(path);
  expect([status, message]).toEqual([
    404,
    expect.stringMatching(/^Cannot answer GET [^ ]+: there is no such path\. /),
  ]);
  expect(message.endsWith(` ${says}`)).toBe(true);
});

test.each(["POST", "PUT", "PATCH", "DELETE"])("%s too", async (method) => {
  const [status, message] = await refusal("/posts", {}, { method });
  expect([status, message]).toEqual([
    404,
    `Cannot answer ${method} /posts: there is no such path. ${rowsOfPosts} /rest/posts.`,
  ]);
});

test.each([
  ["/posts", "/api/rest/posts"],
  ["/api/posts", "/api/rest/posts"],
  ["/rest/posts/1", "/api/rest/posts/1"],
])("leads from %s to where basePath has the tables", async (path, address) => {
  const [, message] = await refusal(path, { basePath: "/api" });
  expect(message).toContain(` ${address}.`);
});

test.each([
  ["none", {}],
  ["the token of the tables", { authorization: "Bearer local-token" }],
  ["another", { authorization: "Bearer other" }],
])("needs no key of chat for that: %s", async (_, headers) => {
  const [status] = await refusal("/posts", { apiKeys: ["key"] }, { headers });
  expect(status).toBe(404);
});

test("leads nowhere from a path like no table's", async () => {
  const [status, message] = await refusal("/nowhere", { auth: false });
  expect(status).toBe(404);
  expect(message).toContain("Use POST /chat/completions");
});

test("the log has it where the answer is the real service's", async () => {
  const warnings: string[] = [];
  const warned = (message: string): void => void warnings.push(message);
  const profiles = { tables: "starbasedb" } as const;
  const emulator = await createEmulator({ fixtures, profiles, observer: { warned } });
  const headers = { authorization: "Bearer local-token" };
  const response = await emulator.fetch("http://127.0.0.1/posts/1", { headers });
  expect([response.status, await response.text()]).toEqual([400, '{"error":"Unknown operation"}']);
  expect(warnings).toEqual([
    `GET /posts/1 is no path of the tables. ${rowsOfPosts} /rest/posts/1.`,
  ]);
});

test("without the token the log of the real service's profile says what to do", async () => {
  const warnings: string[] = [];
  const warned = (message: string): void => void warnings.push(message);
  const profiles = { tables: "starbasedb" } as const;
  const emulator = await createEmulator({ fixtures, profiles, observer: { warned } });
  const response = await emulator.fetch("http://127.0.0.1/rest/posts");
  expect(await response.text()).toBe('{"error":"Unauthorized request"}');
  expect(warnings).toEqual([
    expect.stringMatching(/^GET \/rest\/posts got 401\. .*Bearer local-token.*--token.*--no-auth/),
  ]);
});

test("log and journal tell the hint of a refusal, the journal without the token", async () => {
  const problems: (string | undefined)[] = [];
  const exchanged = ({ problem }: { problem?: string | undefined }): void =>
    void problems.push(problem);
  const emulator = await createEmulator({ fixtures, observer: { exchanged } });
  await (await emulator.fetch("http://127.0.0.1/rest/posts")).text();
  expect(problems).toEqual([expect.stringMatching(/^Unauthorized request\. .*--no-auth/)]);
  expect(emulator.journal.list()[0]?.problem).toMatch(
    /^Unauthorized request\. .*Bearer \*\*\*.*--no-auth/,
  );
});

test("chat recognises the token of the tables", async () => {
  const headers = { authorization: "Bearer local-token" };
  const [status, message] = await refusal("/v1/models", { apiKeys: ["key"] }, { headers });
  expect([status, message]).toEqual([
    401,
    expect.stringContaining("It is the token of the tables, but chat has keys of its own."),
  ]);
});
