import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { run } from "../../../src/fronts/cli/run.ts";
import { plantedService } from "../../support/planted-service.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { realService, verifiedDocument } from "../../support/verified-fixtures.ts";
import { testIo } from "./test-io.ts";

const fast = ["--rate", "1000"];

async function fixtureFolder(): Promise<string> {
  const folder = await temporaryFolder({ "shop.json": JSON.stringify(await verifiedDocument()) });
  return folder.path;
}

/** The service, with a change to each answer. */
async function serviceWith(
  change: (response: Response, request: Request) => Promise<Response> | Response,
): Promise<readonly string[]> {
  const real = await realService();
  const url = await plantedService(async (request) => change(await real(request.clone()), request));
  const keys = ["--api-key", "any", "--token", "local-token"];
  return ["--against", `${url}/v1`, "--tables-against", `${url}/rest`, ...keys];
}

async function json(response: Response, change: (text: string) => string): Promise<Response> {
  const { status, headers } = response;
  return new Response(change(await response.text()), { status, headers });
}

/** Five differences, each in another request. */
async function planted(response: Response, request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname === "/v1/models/nobody") {
    return new Response(await response.text(), { status: 400, headers: response.headers });
  }
  if (pathname === "/rest/users")
    return json(response, (text) => text.replaceAll(/"age":(\d+)/g, '"age":"$1"'));
  if (pathname !== "/v1/chat/completions") return response;
  if (request.method === "GET") {
    response.headers.delete("allow");
    return response;
  }
  const isJson = response.headers.get("content-type") === "application/json";
  return json(response, (text) =>
    isJson ? text.replace(',"refusal":null}', "}") : text.replace("data: [DONE]\n\n", ""),
  );
}

test("finds exactly the five differences that a service was given", async () => {
  const io = testIo({ cwd: await fixtureFolder() });
  const service = await serviceWith(planted);
  expect(await run(["verify", "shop.json", ...service, ...fast], io)).toBe(1);
  expect(io.err()).toBe("");
  const lines = io
    .out()
    .trimEnd()
    .split("\n")
    .map((line) => line.split(/ {2,}/));
  expect(lines).toEqual([
    [
      "drift",
      "cassettes/chat-all.json 2",
      "GET /models/nobody",
      "status",
      "service: 400",
      "emulator: 404",
    ],
    [
      "drift",
      "cassettes/chat-all.json 3",
      "POST /chat/completions",
      "body.choices.0.message.refusal",
      "service: nothing",
      "emulator: null",
    ],
    [
      "drift",
      "cassettes/chat-all.json 4",
      "POST /chat/completions",
      "stream.events",
      "service: role, content, finish, usage",
      "emulator: role, content, finish, usage, [DONE]",
    ],
    [
      "drift",
      "cassettes/chat-all.json 5",
      "GET /chat/completions",
      "header.allow",
      "service: nothing",
      "emulator: OPTIONS, POST",
    ],
    [
      "drift",
      "cassettes/tables-all.json 1",
      "GET /users?limit=2",
      "body.result.*.age",
      "service: string",
      "emulator: number",
    ],
    ["8 requests compared, 5 drifts in 5 requests, 0 skipped"],
  ]);
});

test("finds nothing where the service is as it was recorded", async () => {
  const io = testIo({ cwd: await fixtureFolder() });
  const service = await serviceWith((response) => response);
  expect(await run(["verify", "shop.json", ...service, ...fast], io)).toBe(0);
  expect(io.out()).toBe("8 requests compared, no drift, 0 skipped\n");
});

test("finds nothing by the contract, writes included, in a service that keeps it", async () => {
  const io = testIo({ cwd: await fixtureFolder() });
  const service = await serviceWith((response) => response);
  const all = ["--only", "contract", "--writes"];
  expect(await run(["verify", "shop.json", ...service, ...fast, ...all], io)).toBe(0);
  expect(io.out()).toBe("34 requests compared, no drift, 0 skipped\n");
});

test("writes a report as JSON to a file, and the table to stdout", async () => {
  const cwd = await fixtureFolder();
  const io = testIo({ cwd });
  const service = await serviceWith(planted);
  const out = ["--format", "json", "--out", "drift.json"];
  expect(await run(["verify", "shop.json", ...service, ...fast, ...out], io)).toBe(1);
  expect(io.out()).toContain("5 drifts");
  expect(io.err()).toBe("wrote the report to drift.json\n");
  const report: unknown = JSON.parse(await readFile(join(cwd, "drift.json"), "utf8"));
  expect(report).toMatchObject({
    version: 1,
    counts: { compared: 8, drifted: 5, skipped: 0, drifts: 5 },
    requests: expect.arrayContaining([
      {
        source: { cassette: "chat-all", number: 5 },
        interface: "chat",
        request: "GET /chat/completions",
        outcome: "drift",
        drifts: [{ place: "header.allow", service: "nothing", emulator: "OPTIONS, POST" }],
        leftOut: [],
        durationMs: expect.any(Number),
      },
    ]),
  });
});

test.each([
  ["http://127.0.0.1:1/v1", "bad port"],
  ["http://127.0.0.1:49151/v1", "ECONNREFUSED"],
  ["http://nobody.invalid/v1", "ENOTFOUND|EAI_AGAIN"],
])("says in one line that the service at %s cannot be reached", async (url, code) => {
  const io = testIo({ cwd: await fixtureFolder() });
  expect(await run(["verify", "shop.json", "--against", url], io)).toBe(1);
  const reached = new RegExp(
    `^error: Cannot verify: the service at ${url} cannot be reached \\((?:${code})\\)\\. .*\n$`,
  );
  expect(io.err()).toMatch(reached);
});

test("keeps what it was told of an interface that it was given no address of", async () => {
  const io = testIo({ cwd: await fixtureFolder() });
  const [, against = ""] = await serviceWith((response) => response);
  expect(
    await run(["verify", "shop.json", "--against", against, "--api-key", "any", ...fast], io),
  ).toBe(0);
  expect(io.out()).toContain("the tables have no URL (--tables-against)");
  expect(io.out()).toContain("5 requests compared, no drift, 3 skipped\n");
});

test("takes nothing compared for a failure", async () => {
  const io = testIo({ cwd: await fixtureFolder() });
  const args = ["--tables-against", "http://127.0.0.1:1/rest", "--only", "cassettes"];
  const folder = await temporaryFolder({
    "chat.json": JSON.stringify({
      cassettes: [{ name: "a", interface: "chat", upstream: "https://x.example", recordings: [] }],
    }),
  });
  expect(await run(["verify", join(folder.path, "chat.json"), ...args], io)).toBe(1);
  expect(io.err()).toBe(
    "error: Cannot verify: no request was compared. The report says why each was skipped.\n",
  );
});

test("takes keys from the environment, and tells none of them", async () => {
  const env = { OPENAI_API_KEY: "sk-s3cret", AUTHORIZATION_TOKEN: "local-token" };
  const io = testIo({ cwd: await fixtureFolder(), env });
  const seen: (string | null)[] = [];
  const [, against = "", , rest = ""] = await serviceWith(async (response, request) => {
    seen.push(request.headers.get("authorization"));
    return json(response, (text) => text.replaceAll('"error"', `"${seen.at(-1)}"`));
  });
  const args = ["--against", against, "--tables-against", rest, "--format", "junit"];
  expect(await run(["verify", "shop.json", ...args, ...fast], io)).toBe(1);
  expect(new Set(seen)).toEqual(new Set(["Bearer sk-s3cret", "Bearer local-token"]));
  expect(io.out()).toContain("Bearer [key]");
  expect(io.out() + io.err()).not.toMatch(/s3cret|local-token/);
});

test.each([
  [[], "the service is missing"],
  [["--against", "api.example.com"], "Give a URL, such as https://"],
  [["--against", "https://me:pw@api.example.com"], "without a user and a password"],
  [["--against", "https://x.example/?key=1"], "without a query"],
  [["--against", "https://x.example", "--rate", "0"], "Give a number above 0"],
  [["--against", "https://x.example", "--timeout", "0"], "Give milliseconds"],
  [["--against", "https://x.example", "--format", "jsn"], 'Did you mean "json"?'],
  [["--against", "https://x.example", "--only", "scripts"], "cassettes, contract"],
  [["--against", "https://x.example", "--write"], "Did you mean --writes?"],
])("refuses the arguments %j as wrong usage", async (args, message) => {
  const io = testIo();
  expect(await run(["verify", ...args], io)).toBe(2);
  expect(io.err()).toContain(message);
});
