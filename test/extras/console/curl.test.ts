import { execFile } from "node:child_process";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { curlOf } from "../../../src/extras/console/requests/curl.ts";
import { entry } from "../../core/control/controlled.ts";
import { propertySeed } from "../../support/tries.ts";

interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let server: Server;
let received: Received[] = [];

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, url, headers } = request;
  received.push({ method, url, headers, body: await text(request) });
  response.end();
}

beforeAll(async () => {
  server = createServer((request, response) => void receive(request, response)).listen(
    0,
    "127.0.0.1",
  );
  await once(server, "listening");
});

afterAll(() => {
  server.close();
});

/** What a server gets when the line for this request is pasted into a shell. */
async function sent(asked: Partial<Parameters<typeof entry>[0]>): Promise<readonly Received[]> {
  received = [];
  const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}/@a`;
  const line = curlOf(entry(asked), { root, key: "local-token" });
  // Words of more than 128 KB do not fit into an argument, so the shell reads the line.
  const shell = promisify(execFile)("sh", ["-s"]);
  shell.child.stdin?.end(line.replace("curl ", "curl -q "));
  await shell;
  return received;
}

test.each([
  ["a filter in brackets", "/rest/users", "filter[name]=x"],
  ["a range in brackets", "/rest/[1-40]", ""],
  ["braces", "/rest/{a,b}", "x={1,2}"],
  ["dots", "/rest/../a/./b/..", ""],
  ["quotes and what a shell obeys", "/rest/it's", 'a=$HOME&b=`id`&c="x";d!'],
  ["percent signs", "/rest/%2e%2E/%5B1-3%5D", "like=%25a%25"],
  ["an at sign", "/rest/@file", "@x=@y"],
])("curl sends one request to the path that the console shows: %s", async (_, path, query) => {
  const [one, ...others] = await sent({ method: "GET", path, query });
  expect(others).toEqual([]);
  expect(one?.url).toBe(`/@a${path}${query === "" ? "" : `?${query}`}`);
});

test.each([
  ["of a file's name", "@/etc/passwd"],
  ["with line breaks and backslashes", 'a\r\nb\\n"\\'],
  ["with equals signs and ampersands", "a=1&b=%2B+"],
  ["that is long", `'${"x".repeat(300_000)}\\`],
])("curl sends a body %s as it is, and names no type of its own", async (_, body) => {
  const [one] = await sent({ method: "POST", path: "/v1/x", query: "", headers: {}, body });
  expect(one?.body).toBe(body);
  expect(one?.headers["content-type"]).toBeUndefined();
});

test("curl sends empty headers, and a HEAD request without a body", async () => {
  const headers = { "x-empty": "", "x-quoted": `it's "\\` };
  const [one, ...others] = await sent({ method: "HEAD", path: "/rest/a", headers, body: "x" });
  expect(others).toEqual([]);
  expect(one).toMatchObject({ method: "HEAD", headers, body: "" });
});

const odd = "[]{}()'\"$`!*;@,:|^~\\.-_=+abc/".split("");
const segment = fc
  .array(fc.constantFrom(...odd, "%25", "%0A"), { maxLength: 12 })
  .map((all) => all.join(""));

test("curl sends any request as it was", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        method: fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE"),
        path: segment.map((path) => `/rest/${path}`),
        query: segment,
        headers: fc.record({ "x-one": segment }, { requiredKeys: [] }),
        body: fc.oneof(
          fc.constant(null),
          fc.string({ unit: "grapheme", minLength: 1 }).map((body) => body.replaceAll("\0", "0")),
          fc.object({ maxDepth: 1 }),
        ),
      }),
      async (asked) => {
        const [one, ...others] = await sent(asked);
        expect(others).toEqual([]);
        const target = asked.query === "" ? asked.path : `${asked.path}?${asked.query}`;
        expect([one?.method, one?.url]).toEqual([asked.method, `/@a${target}`]);
        const { body } = asked;
        const written = typeof body === "string" ? body : JSON.stringify(body ?? "");
        expect(one?.body).toBe(body === null || written === '""' ? "" : written);
        expect(one?.headers["x-one"]).toBe(asked.headers["x-one"]);
      },
    ),
    { seed: propertySeed, numRuns: 60 },
  );
});
