import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { consolePage as unpackPage, packedPage } from "../../../src/extras/console/page.ts";
import { version } from "../../../src/core/emulator/version.ts";
import type { Reply } from "../../../src/core/http/reply.ts";
import { askControl, controlled, type ControlledOptions } from "../../core/control/controlled.ts";
import { call } from "../../support/calls.ts";

const consolePage = await unpackPage();

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}

function getPage(
  path = "/",
  headers = {},
  options: ControlledOptions = {},
): Promise<Reply> | Reply {
  const asked = call("GET", path, { headers: { host: "localhost", ...headers } });
  return controlled(options).answer(asked);
}

test("the page has at most 80 KB, packed", () => {
  expect(packedPage.byteLength).toBeLessThan(80_000);
  expect(gunzipSync(packedPage).toString()).toBe(consolePage);
});

/** A page that a client asks for over a network. */
function getOverNetwork(acceptEncoding: string | undefined): Promise<Reply> | Reply {
  const accepted = acceptEncoding === undefined ? {} : { "accept-encoding": acceptEncoding };
  const headers = { host: "localhost", ...accepted };
  const asked = call("GET", "/", { headers });
  return controlled().answer({ ...asked, peerAddress: () => "127.0.0.1" });
}

test.each(["gzip", "br, GZIP", "*", "gzip;q=0.5, identity", "x-gzip"])(
  "sends the page as it is packed to a client that accepts %j",
  async (acceptEncoding) => {
    const { headers, body } = await getOverNetwork(acceptEncoding);
    expect(headers).toMatchObject({ "content-encoding": "gzip", vary: "accept-encoding" });
    expect(body).toEqual({ kind: "bytes", bytes: packedPage });
  },
);

test.each([undefined, "", "br", "identity", "gzip;q=0", "*;q=0", "gzip; q=0.0, *"])(
  "unpacks the page for a client that accepts %j",
  async (acceptEncoding) => {
    const { headers, body } = await getOverNetwork(acceptEncoding);
    expect(headers).not.toHaveProperty("content-encoding");
    expect(headers).toMatchObject({ vary: "accept-encoding" });
    expect(body).toEqual({ kind: "text", text: consolePage });
  },
);

test("unpacks the page for callers in the same process or worker, where nothing else would", async () => {
  const { headers, body } = await getPage("/", { "accept-encoding": "gzip" });
  expect(headers).not.toHaveProperty("content-encoding");
  expect(body).toEqual({ kind: "text", text: consolePage });
});

test.each(["/", ""])("serves the page at the prefix followed by %j", async (path) => {
  const reply = await getPage(path);
  expect(reply).toMatchObject({ status: 200, body: { kind: "text", text: consolePage } });
  expect(reply.headers).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
  });
});

test("lets the page run its own script and style, and nothing else", async () => {
  const policy = (await getPage()).headers["content-security-policy"] ?? "";
  const [, style = ""] = /<style>([^]*)<\/style>/.exec(consolePage) ?? [];
  const [, script = ""] = /<script type="module">([^]*)<\/script>/.exec(consolePage) ?? [];
  expect(policy.split("; ")).toEqual([
    "default-src 'none'",
    `script-src 'sha256-${hashOf(script)}'`,
    `style-src 'sha256-${hashOf(style)}'`,
    "connect-src 'self'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]);
  expect(consolePage.match(/<script/g)).toHaveLength(1);
});

test.each([
  [{ host: "evil.example" }, {}],
  [{ origin: "https://evil.example" }, {}],
  [{}, { settings: { controlToken: "open-sesame" } }],
])(
  "gives strangers with %j the same page, which has no secrets and no leave for CORS",
  async (headers, options) => {
    const reply = await getPage("/", headers, options);
    expect(reply).toMatchObject({ status: 200, body: { text: consolePage } });
    expect(Object.keys(reply.headers).filter((name) => name.startsWith("access-control"))).toEqual(
      [],
    );
  },
);

test.each([
  [{ host: "evil.example" }, {}, "foreign_host"],
  [{ origin: "https://evil.example" }, {}, "foreign_origin"],
  [{}, { settings: { controlToken: "open-sesame" } }, "wrong_token"],
])("refuses strangers with %j what the console starts from", async (headers, options, code) => {
  const answer = await askControl("GET /console.json", controlled(options), { headers });
  expect(answer).toMatchObject({ status: 403, code });
  expect(JSON.stringify(answer.body)).not.toContain("local-");
});

test("tells the console where everything is, and the keys", async () => {
  const answer = await askControl("GET /console.json", controlled({ session: "a" }));
  expect(answer.body).toMatchObject({
    version,
    session: "a",
    profiles: { tables: "document", chat: "document" },
    basePaths: { tables: "", chat: "/v1" },
    keys: { tables: "local-token", chat: "local-key" },
    operators: expect.arrayContaining([{ name: "gte", signs: ["≥", ">="] }]),
  });
});

test("answers a form that is sent to the page with 405", async () => {
  expect(await askControl("POST /")).toMatchObject({ status: 405, code: "method_not_allowed" });
});
