import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { fixtureSetFrom } from "../../../../src/core/emulator/emulator.ts";
import { runtimeTimers } from "../../../../src/core/emulator/environment.ts";
import type { VerifyReport } from "../../../../src/extras/recordings/verify/report.ts";
import { verify, type VerifySetup } from "../../../../src/extras/recordings/verify/verify.ts";
import { realService, serviceFixtures } from "../../../support/verified-fixtures.ts";

interface Told {
  readonly report: VerifyReport;
  readonly sent: readonly Request[];
}

/** Verifies a service that answers as a function does. */
async function verified(
  document: object,
  answer: (request: Request) => Promise<Response> | Response,
  setup: Partial<VerifySetup> = {},
): Promise<Told> {
  const sent: Request[] = [];
  const report = await verify(
    {
      fixtures: await fixtureSetFrom(document, {}),
      against: "https://api.example.com/v1",
      tablesAgainst: "https://api.example.com/rest",
      apiKey: "sk-s3cret",
      token: "local-token",
      rate: 1000,
      ...setup,
    },
    {
      fetch: async (request) => {
        sent.push(request.clone());
        return answer(request);
      },
      timers: runtimeTimers,
      random: () => 0.5,
    },
  );
  return { report, sent };
}

function cassette(room: "chat" | "tables", request: object, answer: object = {}): object {
  const given = { status: 200, headers: {}, afterMs: 1, ...answer };
  const upstream = "https://api.example.com";
  return { name: `${room}-1`, interface: room, upstream, recordings: [{ request, answer: given }] };
}

const json = (value: unknown): object => ({
  headers: { "content-type": "application/json" },
  body: { json: value },
});

test("sends no request that changes something, and tells so", async () => {
  const cassettes = [cassette("tables", { method: "DELETE", path: "/users/1" })];
  const { report, sent } = await verified({ cassettes }, () => Response.json({}), {
    against: undefined,
  });
  expect(sent).toEqual([]);
  expect(report.requests).toMatchObject([
    { outcome: "skipped", reason: "it may change something; --writes sends it" },
  ]);
});

test("sends what was recorded, with the key in its header alone", async () => {
  const request = {
    method: "POST",
    path: "/chat/completions",
    query: "a=b%20c",
    headers: { "x-tenant": "acme" },
    body: { json: { model: "m", messages: [] } },
  };
  const document = {
    cassettes: [cassette("chat", request, json({}))],
    recording: { headers: ["x-tenant"] },
  };
  const { sent } = await verified(document, () => Response.json({}), { tablesAgainst: undefined });
  const [only] = sent;
  expect(sent).toHaveLength(1);
  expect(only?.url).toBe("https://api.example.com/v1/chat/completions?a=b%20c");
  expect(Object.fromEntries(only?.headers ?? [])).toEqual({
    authorization: "Bearer sk-s3cret",
    "content-type": "application/json",
    "x-tenant": "acme",
  });
  expect(await only?.json()).toEqual({ model: "m", messages: [] });
});

test.each([
  ["tables", { method: "GET", path: "/users", query: "email=%5Bemail+1%5D" }],
  ["tables", { method: "GET", path: "/users/[email%201]" }],
  ["chat", { method: "POST", path: "/chat/completions", body: { json: { model: "[email 1]" } } }],
  ["chat", { method: "GET", path: "/models", query: "api_key=%5Bapi_key+1%5D" }],
] as const)("skips a request of %s that hangs on what was taken out: %j", async (room, request) => {
  const recording = { redact: [{ regex: "@", as: "email" }] };
  const document = { cassettes: [cassette(room, request)], recording };
  const { report } = await verified(document, () => Response.json({}), { only: "cassettes" });
  expect(report.requests).toMatchObject([
    { outcome: "skipped", reason: expect.stringMatching(/^its \[\w+ 1\] was redacted/) },
  ]);
});

test("sends a message that something was taken out of", async () => {
  const messages = [{ role: "user", content: "Write to [email 1]." }];
  const request = {
    method: "POST",
    path: "/chat/completions",
    body: { json: { model: "m", messages } },
  };
  const recorded = json({ to: "[email 1]", n: 1 });
  const document = {
    cassettes: [cassette("chat", request, recorded)],
    recording: { redact: [{ regex: "@", as: "email" }] },
  };
  const { report } = await verified(document, () => Response.json({ to: null, n: 1 }), {
    only: "cassettes",
  });
  expect(report.requests).toMatchObject([{ outcome: "same", leftOut: ["body.to (redacted)"] }]);
});

test("verifies an interface by the contract that has no cassette", async () => {
  const cassettes = [cassette("chat", { method: "GET", path: "/models" }, json({ data: [] }))];
  const { report } = await verified({ ...serviceFixtures, cassettes }, () => Response.json({}));
  const sources = report.requests.map(({ source, interface: room }) => [
    room,
    Object.keys(source)[0],
  ]);
  expect(sources[0]).toEqual(["chat", "cassette"]);
  expect(new Set(sources.slice(1).map(String))).toEqual(new Set(["tables,check"]));
});

test("leaves nothing behind that it wrote", async () => {
  const real = await realService();
  const rows = async (): Promise<unknown> =>
    (
      await real(
        new Request("http://localhost/rest/users", {
          headers: { authorization: "Bearer local-token" },
        }),
      )
    ).json();
  const before = await rows();
  const { report, sent } = await verified(serviceFixtures, real, {
    only: "contract",
    writes: true,
  });
  expect(report.counts).toMatchObject({ drifted: 0, skipped: 0 });
  const methods = sent.map(({ method, url }) => `${method} ${new URL(url).pathname}`);
  expect(methods).toContain("POST /rest/users");
  expect(methods).toContain("DELETE /rest/users/1950000000");
  expect(await rows()).toEqual(before);
});

test("names the checks that fixtures have nothing for", async () => {
  const { report } = await verified({}, () => Response.json({}), { only: "contract" });
  const reasons = new Set(report.requests.map(({ reason }) => reason));
  expect(reasons).toContain("the fixtures lack a chat model");
  expect(reasons).toContain("the fixtures lack a table with rows");
});

test("tells a page that is longer than was asked for, and an order that is none", async () => {
  const rows = [
    { id: 1, name: "a", age: 1, email: null },
    { id: 2, name: "b", age: 1, email: "x" },
    { id: 3, name: "c", age: 1, email: "y" },
  ];
  const { report } = await verified(serviceFixtures, () => Response.json({ result: rows }), {
    only: "contract",
    against: undefined,
  });
  const places = report.requests.flatMap(({ drifts }) => drifts.map(({ place }) => place));
  expect(places).toContain("body.result: at most 2 rows");
  expect(places).toContain('body.result: "id" in descending order');
  expect(places).toContain('body.result: "id" is the one asked for');
});

test("tells no key, even where the service says it", async () => {
  const document = { ...serviceFixtures, recording: { stable: ["body.error.message"] } };
  const cassettes = [
    cassette(
      "chat",
      { method: "GET", path: "/models" },
      { ...json({ error: { message: "no" } }), status: 401 },
    ),
  ];
  const said = { "sk-s3cret": 1, error: { message: "wrong key sk-s3cret", key: "local-token" } };
  const { report } = await verified({ ...document, cassettes }, () =>
    Response.json(said, { status: 401 }),
  );
  expect(JSON.stringify(report)).toContain("wrong key [key]");
  expect(JSON.stringify(report)).not.toMatch(/s3cret|local-token/);
});

test("asks a service again that has no room for it, and not for ever", async () => {
  let asked = 0;
  const cassettes = [cassette("chat", { method: "GET", path: "/models" }, json({ a: 1 }))];
  const busy = (): Response => {
    asked += 1;
    const headers = { "retry-after": "0.001" };
    return asked === 2 ? Response.json({ a: 1 }) : Response.json({}, { status: 429, headers });
  };
  const setup = { only: "cassettes" } as const;
  const first = await verified({ cassettes }, busy, setup);
  expect(first.report.counts).toMatchObject({ compared: 1, drifted: 0 });
  const second = await verified({ cassettes }, busy, setup);
  expect(second.report.requests[0]?.drifts).toMatchObject([{ service: "429", emulator: "200" }]);
  expect(asked).toBe(5);
});

test("goes on where a service that answered once cannot be reached any more", async () => {
  const recordings = ["/models", "/models/a"].map((path) => ({
    request: { method: "GET", path },
    answer: { status: 200, afterMs: 1, ...json({ a: 1 }) },
  }));
  const cassettes = [{ name: "c", interface: "chat", upstream: "https://x.example", recordings }];
  let asked = 0;
  const { report } = await verified(
    { cassettes },
    () => {
      asked += 1;
      if (asked === 1) return Response.json({ a: 1 });
      throw new TypeError("fetch failed", { cause: { code: "ECONNREFUSED" } });
    },
    { only: "cassettes" },
  );
  expect(report.requests.map(({ outcome }) => outcome)).toEqual(["same", "drift"]);
  expect(report.requests[1]?.drifts[0]?.service).toBe("no answer (the connection broke)");
});

test("refuses to verify cassettes that are not there", async () => {
  const result = verified(serviceFixtures, () => Response.json({}), { only: "cassettes" });
  await expect(result).rejects.toThrow("Cannot verify: the fixtures have no cassettes.");
});

async function answerLate(): Promise<Response> {
  await delay(120);
  return Response.json({ result: [] });
}

test.each([
  [undefined, []],
  [3, [{ place: "time", service: expect.any(String), emulator: "10 ms as recorded" }]],
  [100_000, []],
])(
  "takes an answer for drift that is slower than %s times the recorded one",
  async (slowerThan, drifts) => {
    const cassettes = [
      cassette(
        "tables",
        { method: "GET", path: "/users" },
        { ...json({ result: [] }), afterMs: 10 },
      ),
    ];
    const { report } = await verified({ cassettes }, answerLate, {
      against: undefined,
      slowerThan,
    });
    expect(report.requests).toMatchObject([{ drifts }]);
  },
);
