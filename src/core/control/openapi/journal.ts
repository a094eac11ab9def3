import type { JsonSchema } from "../../schema/schema.ts";
import { count, listOf, nullable, objectOf, text, time } from "./schemas.ts";

const miss = objectOf(
  {
    script: text,
    failures: listOf(
      objectOf({ criterion: text, expected: text, seen: text, near: text }, [
        "criterion",
        "expected",
        "seen",
      ]),
    ),
    usedUp: { ...text, description: "Why it answered nothing any more." },
  },
  ["script", "failures"],
);

const plan: JsonSchema = {
  ...objectOf({
    access: objectOf(
      {
        by: { type: "string", enum: ["scan", "row id", "index"] },
        columns: listOf(text),
        search: { type: "string", enum: ["equal", "range", "all"] },
      },
      ["by"],
    ),
    candidates: { ...count, description: "How many rows that finds." },
    tests: {
      ...listOf({ type: "object" }),
      description: "The conditions that are still tested row by row.",
    },
    order: { description: '`as found`, `sorted`, or `{"first": n}`.' },
  }),
  type: ["object", "null"],
  description: "How the table finds the rows of the request, as it is when the entry is read.",
};

const place = { cassette: text, number: { ...count, description: "Its place, from 1." } };

const closestRecording: JsonSchema = {
  ...objectOf({
    ...place,
    differences: listOf(objectOf({ at: text, recorded: text, sent: text }, ["at"])),
  }),
  type: ["object", "null"],
  description:
    "Of a request that was refused since it is not recorded: what comes closest, and where that differs.",
};

const entry = objectOf({
  id: text,
  at: time,
  session: { ...nullable("string"), description: "Null: the base session." },
  interface: { type: "string", enum: ["rest", "chat"] },
  method: text,
  path: text,
  query: { ...text, description: "Keys and tokens are shown as `***`." },
  headers: { type: "object", additionalProperties: text },
  body: { description: "Parsed where it was JSON, else the text; null when there was none." },
  status: { ...count, description: "0 when there was no answer, because of a fault." },
  answeredBy: nullable("string"),
  script: { ...nullable("string"), description: "The chat script that answered." },
  reply: {
    ...nullable("integer"),
    description: "Which of its `replies`, from 0; null where it has one.",
  },
  misses: {
    ...listOf(miss),
    description: "The scripts that came closest and did not match, closest first.",
  },
  plan,
  fault: {
    ...nullable("string"),
    description: "The id of the planned fault that answered, or that held the answer back.",
  },
  recording: {
    ...objectOf(place),
    type: ["object", "null"],
    description: "The recording that was replayed.",
  },
  closestRecording,
  durationMs: { type: "number" },
  bytes: { ...count, description: "Of the body that was sent." },
  chunksSent: { ...count, description: "Frames of a stream." },
  aborted: { type: "boolean" },
  retryCount: { ...nullable("integer"), description: "As the client says." },
});

/** The requests of the journal, in either format. */
export const requestsSchema: JsonSchema = {
  anyOf: [
    objectOf({
      beganAt: {
        ...time,
        description: "When the session began, and its journal with it.",
      },
      requests: listOf(entry),
    }),
    { ...objectOf({ log: { type: "object" } }), description: "With `format=har`: HAR 1.2." },
  ],
};

/** The same as they end. */
export const liveSchema: JsonSchema = {
  type: "string",
  description: "Server-sent events. The data of `request` is one of the requests that are listed.",
};
