import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  type Recording,
  type RecordingRules,
  usualRecordingRules,
} from "../../../../src/core/recordings/cassette.ts";
import { compileRules } from "../../../../src/core/recordings/recording-rules.ts";
import { redactExchange } from "../../../../src/extras/recordings/redaction/redact-exchange.ts";
import { encodings, secretKinds } from "./secret-kinds.ts";

/** The kinds that only a name beside them tells. */
const named = new Set(["password", "api_key", "access_token", "client_secret"]);

type Place = (
  text: string,
  kind: string,
) => { query?: string; body?: unknown; answer?: unknown; events?: readonly unknown[] };

const member = (text: string, kind: string): object =>
  named.has(kind) ? { [kind]: text } : { note: `it is ${text}, see` };

const places: Readonly<Record<string, Place>> = {
  query: (text, kind) => ({ query: `${named.has(kind) ? kind : "q"}=${encodeURIComponent(text)}` }),
  request: (text, kind) => ({ body: member(text, kind) }),
  answer: (text, kind) => ({ answer: { result: [member(text, kind)] } }),
  "tool arguments": (text, kind) => ({
    answer: {
      choices: [
        {
          message: {
            tool_calls: [
              { function: { name: "f", arguments: JSON.stringify(member(text, kind)) } },
            ],
          },
        },
      ],
    },
  }),
  stream: (text, kind) => ({
    events: Array.from(JSON.stringify(member(text, kind)).match(/[^]{1,7}/g) ?? [], (content) => ({
      choices: [{ index: 0, delta: { content } }],
    })),
  }),
};

function recorded(
  { query = "", body, answer, events }: ReturnType<Place>,
  rules: Partial<RecordingRules> = {},
): Recording {
  const sent = {
    method: "POST",
    path: "/chat/completions",
    query,
    headers: {},
    body: body === undefined ? undefined : new TextEncoder().encode(JSON.stringify(body)),
  };
  const { recording } = redactExchange(
    sent,
    compileRules({ ...usualRecordingRules, ...rules }),
    "chat",
  );
  const head = { status: 200, headers: {}, afterMs: 1 };
  const stream = events?.map((event, at) => ({
    atMs: at,
    text: `data: ${JSON.stringify(event)}\n\n`,
  }));
  return recording({
    ...head,
    ...(stream === undefined ? { body: { json: answer ?? {} } } : { stream }),
  });
}

/** All that a recording says, with the pieces of its stream together. */
function written({ request, answer }: Recording): string {
  const pieces = (answer.stream ?? []).map((part) => {
    const event = JSON.parse(("text" in part ? part.text : "").slice(6));
    return event.choices[0].delta.content;
  });
  return JSON.stringify({ request, body: answer.body, pieces: pieces.join("") });
}

function decodedOnce(all: readonly string[]): readonly string[] {
  const more = all.flatMap((each) => [
    each,
    each.replaceAll(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    each.replaceAll(/\\(u[0-9a-f]{4}|["\\/n])/g, (found) => JSON.parse(`"${found}"`)),
  ]);
  return [...new Set(more)];
}

function readings(text: string): readonly string[] {
  const plain = decodedOnce(decodedOnce(decodedOnce([text])));
  const runs = plain.flatMap((each) => each.match(/[\w+/-]{8,}/g) ?? []);
  return [...plain, ...runs.map((run) => Buffer.from(run, "base64").toString("latin1"))];
}

function leaks(recording: Recording, secret: string): boolean {
  const start = secret.startsWith("https") ? 40 : 0;
  const part = secret.slice(start + 6, start + 20);
  return readings(written(recording)).some((text) => text.includes(part));
}

test("takes out 40 kinds of secrets in each of 6 encodings and 5 places, as the documentation says", () => {
  const kinds = secretKinds(1);
  const missed = Object.entries(encodings).flatMap(([encoding, encode]) =>
    Object.entries(places).flatMap(([place, put]) =>
      kinds
        .filter(([kind, secret]) => leaks(recorded(put(encode(secret), kind)), secret))
        .map(([kind]) => `${kind}, ${encoding}, ${place}`),
    ),
  );
  expect(missed).toEqual([]);
  const documentation = readFileSync("docs/contributing.md", "utf8");
  expect(documentation).toContain(`finds ${kinds.length} of ${kinds.length} in each`);
  const names = [...Object.keys(encodings), ...Object.keys(places)];
  for (const name of names) expect(documentation).toContain(name);
});

const password = "x7Kq-2pL!9zR";

test.each([
  ["a form", `user=ada&password=${encodeURIComponent(password)}&go=1`],
  ["a form in base64", btoa(`user=ada&password=${encodeURIComponent(password)}`)],
  ["JSON in base64", btoa(JSON.stringify({ user: "ada", password }))],
  ["JSON in JSON", JSON.stringify({ arguments: JSON.stringify({ password }) })],
  ["a percent-encoded form", encodeURIComponent(`password=${encodeURIComponent(password)}`)],
  ["YAML", `db:\n  db_password: ${password}\n  port: 1`],
  ["an environment file", `export DB_PASSWORD='${password}'\nPORT=1`],
  ["a sentence", `The password is ${password}, keep it.`],
  ["code", `connect({ password: "${password}", port: 1 })`],
  ["XML", `<password>${password}</password>`],
  ["a flag", `mysql --password ${password} -h x`],
  ["a log", `ERROR "password" => "${password}"`],
  ["a command", `curl -H "Authorization: Bearer ${password.replace("!", "-")}aaaa" x`],
])("finds a secret beside its name in %s", (_, text) => {
  const { request } = recorded({ body: { text } });
  expect(readings(JSON.stringify(request)).join(" ")).not.toMatch(/7Kq-2pL|9zRaaaa/);
});

const slack = "xoxb-123456789012-AbCdEfGhIjKl";

test.each<[string, Partial<RecordingRules>, string]>([
  ["replaces by default", {}, "[slack-token 1]"],
  ["only reports with warn", { secrets: "warn" }, slack],
  ["keeps an allowed value", { allow: [{ value: slack }] }, slack],
  ["keeps what stands in an allowed place", { allow: [{ path: "body.a.*" }] }, slack],
  ["replaces in other places", { allow: [{ path: "body.b" }] }, "[slack-token 1]"],
])("%s what looks like a secret", (_, rules, kept) => {
  const recording = recorded({ body: { a: [slack] } }, rules);
  expect(recording.request.body).toEqual({ json: { a: [kept] } });
});

test("takes the padding of base64 out with the secret", () => {
  const { request } = recorded({ body: { a: btoa(slack + "1") } });
  expect(request.body).toEqual({ json: { a: "[slack-token 1]" } });
});
