import { Validator } from "@cfworker/json-schema";
import { expect, test } from "vitest";
import type { StateProfiles } from "../../../src/core/emulator/state/export-state.ts";
import { createEmulator, type Emulator } from "../../../src/index.ts";
import { asking, completions, contractModels } from "../../support/contract-chats.ts";
import { contractTables } from "../../support/contract-tables.ts";
import { recordedGroups } from "../../support/recordings.ts";
import { chatRefusals } from "../../support/refused-chats.ts";
import { refusedRequests } from "../../support/refused-requests.ts";
import { refusedWrites } from "../../support/refused-writes.ts";
import { ask, type Asking } from "../../support/requests.ts";
import { strictRefusals } from "../../support/strict-refusals.ts";
import { type ApiDocument, findOperation, readApiDocument } from "./api-document.ts";

type Profiles = StateProfiles;

const observed: Profiles = { tables: "starbasedb", chat: "openai" };
const documented: Profiles = { tables: "document", chat: "document" };

/** The document of an emulator, which is read anew since its tables may change. */
async function documentOf(emulator: Emulator): Promise<ApiDocument> {
  return readApiDocument(await ask(emulator, "GET /__backlot/openapi.json"));
}

/** To make one takes longer than to use it. */
const validators = new Map<object, Validator>();

/** Where a value does not fit a schema of a document; undefined when it fits. */
function findMisfit(
  value: unknown,
  schema: object | undefined,
  { components }: Pick<ApiDocument, "components">,
): string | undefined {
  if (schema === undefined) return "there is no schema";
  const validator = validators.get(schema) ?? new Validator({ ...schema, components }, "2020-12");
  validators.set(schema, validator);
  const { valid, errors } = validator.validate(value);
  return valid ? undefined : errors.map(({ error }) => error).join(" ");
}

/** What is wrong with an answer by what the document says; undefined when nothing is, or it does not say anything. */
function findLie(
  document: ApiDocument,
  line: string,
  { status, body }: { readonly status: number; readonly body: unknown },
): string | undefined {
  const [method = "", target = ""] = line.split(" ");
  const path = target.split("?")[0]?.replace(/^\/v1/, "") ?? "";
  const operation = findOperation(document, method, path);
  if (operation === undefined) return undefined;
  const response = operation.responses[status];
  if (response === undefined) return `${line}: the status ${status} is not documented`;
  const kind = typeof body === "object" ? "application/json" : "text/plain";
  const content = response.content?.[kind];
  if (content === undefined) return `${line}: ${status} has no ${kind}`;
  const misfit = findMisfit(body, content.schema, document);
  return misfit === undefined ? undefined : `${line}: ${status} ${misfit}`;
}

const profileChats = [{ reply: { content: "x" }, times: 1_000 }];

async function liesOf(
  profiles: Profiles,
  requests: readonly { readonly line: string; readonly asking?: Asking }[],
): Promise<readonly string[]> {
  const fixtures = { tables: contractTables, models: contractModels, chats: profileChats };
  const emulator = await createEmulator({ fixtures, profiles, apiKeys: ["local-token"] });
  const document = await documentOf(emulator);
  const lies: string[] = [];
  for (const { line, asking: asked = {} } of requests) {
    lies.push(
      ...[findLie(document, line, await ask(emulator, line, asked))].flatMap((l) => l ?? []),
    );
  }
  return lies;
}

test("says of each refusal of the tables which status and body it has", async () => {
  const requests = [...refusedRequests, ...refusedWrites];
  expect(await liesOf(documented, requests)).toEqual([]);
});

test.each([documented, observed])(
  "says the same of each refusal of chat under %j",
  async (both) => {
    const requests = [...chatRefusals, ...strictRefusals]
      .filter(({ only = both.chat }) => only === both.chat)
      .map(({ line = completions, ...rest }) => ({ line, ...rest }));
    expect(await liesOf(both, requests)).toEqual([]);
  },
);

test.each([documented, observed])(
  "says what is answered when all is well under %j",
  async (both) => {
    const json = { name: "Eve" };
    const requests = [
      { line: "GET /v1/models" },
      { line: "GET /models/atlas" },
      { line: completions, asking: { json: asking("hi") } },
      { line: "GET /rest/users" },
      { line: "GET /rest/users/1" },
      { line: "POST /rest/users", asking: { json } },
      { line: "PUT /rest/users/1", asking: { json: { id: 1, ...json } } },
      { line: "PATCH /rest/users/1", asking: { json } },
      { line: "DELETE /rest/users/2" },
    ];
    expect(await liesOf(both, requests)).toEqual([]);
  },
);

test("says of the observed service what it answered", async () => {
  const groups = ["observed.jsonl.gz", "observed-extra.jsonl.gz"].flatMap((name) => [
    ...recordedGroups(name).values(),
  ]);
  const steps = groups
    .flat()
    .flatMap((recorded) => recorded.steps)
    .filter(({ path }) => path.startsWith("/rest"));
  // Those whose names the profile takes.
  const tables = { users: [], products: [], orders: [], events: [], notes: [] };
  const document = await documentOf(
    await createEmulator({ fixtures: { tables }, profiles: observed }),
  );
  const lies = steps.map(({ method, path, status, response }) =>
    findLie(document, `${method} ${path}`, { status, body: response ?? "" }),
  );
  expect(steps.length).toBeGreaterThan(1_000);
  expect(lies.filter((lie) => lie !== undefined)).toEqual([]);
});

test("says what the chunks of a stream are", async () => {
  const emulator = await createEmulator({ fixtures: { models: contractModels } });
  const { components } = await documentOf(emulator);
  const json = asking("hi", { stream: true, stream_options: { include_usage: true } });
  const { text } = await ask(emulator, completions, { json });
  const events = text.split("\n\n").filter((event) => event.startsWith("data: {"));
  const schema = components["schemas"]?.["ChatCompletionChunk"];
  const misfits = events.map((event) =>
    findMisfit(JSON.parse(event.slice(6)), schema, { components }),
  );
  expect(events.length).toBeGreaterThan(2);
  expect(misfits.filter((misfit) => misfit !== undefined)).toEqual([]);
});

test("names all that usage counts", async () => {
  const reply = { content: "Yes.", reasoning: "I think so." };
  const fixtures = { models: contractModels, chats: [{ reply }] };
  const emulator = await createEmulator({ fixtures });
  const { components } = await documentOf(emulator);
  const { body } = await ask(emulator, completions, { json: asking("hi") });
  const completion = components["schemas"]?.["ChatCompletion"];
  expect(body).toHaveProperty("usage.completion_tokens_details.reasoning_tokens");
  for (const path of ["prompt_tokens_details", "completion_tokens_details"]) {
    expect(completion).toHaveProperty(`properties.usage.properties.${path}`);
  }
  expect(findMisfit(body, completion, { components })).toBeUndefined();
});

/** Bodies of requests, and the profiles that take them. */
const bodies: readonly (readonly [fields: object, profiles: string])[] = [
  [{}, "document openai"],
  [{ stream: true, temperature: null, stop: ["a"] }, "document openai"],
  [{ tools: [{ type: "function", function: { name: "f" } }] }, "document openai"],
  [{ stream: 1 }, "document"],
  [{ frequency_penalty: true }, "document"],
  [{ tools: null }, "document"],
  [{ stream: 2 }, "document"],
  [{ stream: "yes" }, ""],
  [{ temperature: 3 }, ""],
  [{ n: 0 }, ""],
  [{ stop: ["a", "b", "c", "d", "e"] }, ""],
  [{ messages: [] }, ""],
  [{ model: 5 }, ""],
];

test.each(bodies)("takes the fields %j in requests under: %s", async (fields, taken) => {
  for (const chat of ["document", "openai"] as const) {
    const profiles = { tables: "document", chat } as const;
    const json = asking("hi", fields);
    const emulator = await createEmulator({ fixtures: { models: contractModels }, profiles });
    const { components } = await documentOf(emulator);
    const request = components["schemas"]?.["ChatCompletionRequest"];
    const isTaken = taken.includes(chat);
    expect(findMisfit(json, request, { components }) === undefined).toBe(isTaken);
    expect((await ask(emulator, completions, { json })).status === 200).toBe(isTaken);
  }
});
