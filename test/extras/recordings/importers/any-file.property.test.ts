import fc from "fast-check";
import { expect, test } from "vitest";
import { usualRecordingRules } from "../../../../src/core/recordings/cassette.ts";
import { readFixtureFiles } from "../../../../src/core/fixture-set/read-fixtures.ts";
import { importAimock } from "../../../../src/extras/recordings/importers/aimock.ts";
import { importHar } from "../../../../src/extras/recordings/importers/har.ts";
import type { Imported } from "../../../../src/extras/recordings/importers/imported.ts";
import { importJsonServer } from "../../../../src/extras/recordings/importers/json-server.ts";
import { importOpenApi } from "../../../../src/extras/recordings/importers/openapi.ts";

import { isReadAsWritten } from "../../../../src/core/fixture-set/json/json-copy.ts";
import { tries } from "../../../support/tries.ts";

type Importing = () => Imported | Promise<Imported>;

type Json = Readonly<Record<string, unknown>>;

const value = fc.oneof(
  // A reader of files has refused other numbers before.
  fc.jsonValue({ maxDepth: 2 }).filter((json) => isReadAsWritten(json)),
  fc.constantFrom<unknown>(
    "",
    "text",
    0,
    -1,
    1.5,
    429,
    "{{ x",
    "{% y",
    null,
    true,
    [],
    {},
    [{}],
    [{ id: 1 }],
  ),
);

/** Objects that have some of the keys that an importer looks at, with values of all sorts. */
function loose(keys: readonly string[], deeper: fc.Arbitrary<unknown> = value): fc.Arbitrary<Json> {
  return fc.dictionary(fc.constantFrom(...keys, "__proto__", "other"), fc.oneof(value, deeper), {
    maxKeys: 4,
  });
}

const matchKeys = [
  "userMessage",
  "systemMessage",
  "toolCallId",
  "toolResultContains",
  "toolName",
  "model",
  "responseFormat",
  "sequenceIndex",
  "turnIndex",
  "hasToolResult",
  "context",
];
const call = loose(["name", "arguments", "id", "type", "text"]);
const response = loose(
  [
    "content",
    "toolCalls",
    "blocks",
    "reasoning",
    "error",
    "status",
    "retryAfter",
    "usage",
    "finishReason",
    "model",
    "id",
  ],
  fc.oneof(
    fc.array(call, { maxLength: 2 }),
    loose(["message", "type", "code", "param", "total_tokens"]),
  ),
);
const timing = loose(
  [
    "latency",
    "chunkSize",
    "truncateAfterChunks",
    "streamingProfile",
    "recordedTimings",
    "chaos",
    "replaySpeed",
  ],
  loose([
    "ttft",
    "tps",
    "jitter",
    "ttftMs",
    "interChunkDelaysMs",
    "disconnectRate",
    "malformedRate",
    "latencyMs",
  ]),
);
const aimock = fc
  .array(
    fc
      .tuple(loose(matchKeys), response, timing)
      .map(([match, answer, more]) => ({ ...more, match, response: answer })),
    { maxLength: 3 },
  )
  .map(
    (fixtures): Importing =>
      () =>
        importAimock({ fixtures }, "mocks"),
  );

const row = loose(["id", "userId", "name", "", "a"]);
const tables = fc
  .dictionary(
    fc.constantFrom("users", "posts", "a/b", ".x", "readme", "Users", "$schema"),
    fc.oneof(value, row, fc.array(row, { maxLength: 3 })),
  )
  .map(
    (db): Importing =>
      () =>
        importJsonServer(db),
  );

const schema: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  schema: loose(
    ["type", "example", "examples", "default", "items", "properties", "allOf", "$ref"],
    fc.oneof(
      { maxDepth: 2 },
      tie("schema"),
      fc.dictionary(fc.constantFrom("id", "name"), tie("schema"), { maxKeys: 2 }),
      fc.array(tie("schema"), { maxLength: 2 }),
      fc.constant("#/components/schemas/A"),
    ),
  ),
})).schema;
const operation = fc.tuple(schema, value, value).map(([of, example, examples]) => ({
  get: {
    responses: { 200: { content: { "application/json": { schema: of, example, examples } } } },
  },
}));
const openapi = fc
  .tuple(
    fc.dictionary(
      fc.constantFrom("/users", "/users/{id}", "/{x}", "", "/a%20b"),
      fc.oneof(operation, value),
    ),
    fc.dictionary(fc.constantFrom("A", "B"), schema),
  )
  .map(
    ([paths, schemas]): Importing =>
      () =>
        importOpenApi({ openapi: "3.0.0", paths, components: { schemas } }),
  );

const message = loose(
  ["method", "url", "headers", "postData", "status", "content", "bodySize"],
  loose(["text", "encoding", "size"]),
);
const url = fc.constantFrom(
  "http://x/v1/chat/completions",
  "http://x/rest/a",
  "http://x/rest/%zz",
  "x",
);
const har = fc
  .array(
    fc.tuple(message, message, value, url).map(([request, answer, timings, at]) => ({
      startedDateTime: timings,
      timings,
      request: { method: "GET", url: at, ...request },
      response: { status: 200, ...answer },
    })),
    { maxLength: 3 },
  )
  .map(
    (entries): Importing =>
      () =>
        importHar({ log: { entries } }, usualRecordingRules),
  );

const cases: readonly (readonly [string, fc.Arbitrary<Importing>])[] = [
  ["fixtures of aimock", aimock],
  ["databases of json-server", tables],
  ["OpenAPI documents", openapi],
  ["HTTP archives", har],
];

test.each(cases)("whatever is in %s, what is taken over can be served", async (_, arbitrary) => {
  await fc.assert(
    fc.asyncProperty(arbitrary, async (imported) => {
      const { files, remarks } = await imported();
      const read = files.map(({ name, text }) => ({ path: name, name, text }));
      const { tables: served } = await readFixtureFiles(read);
      expect(served.length).toBe(files.filter(({ name }) => name.startsWith("tables/")).length);
      expect(remarks.every((remark) => remark.message !== "")).toBe(true);
    }),
    { numRuns: tries(200) },
  );
});
