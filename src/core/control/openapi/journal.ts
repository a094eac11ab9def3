import { interfaceNames } from "../../interface.ts";
import { answerEnds } from "../../http/answer-end.ts";
import type { JsonSchema } from "../../schema/schema.ts";
import { count, listOf, nullable, objectOf, text, time } from "../../schema/openapi.ts";

const miss = objectOf({
  script: text,
  failures: listOf(objectOf({ criterion: text, expected: text, seen: text, "near?": text })),
  "held?": { ...listOf(text), description: "The conditions that held." },
  "usedUp?": { ...text, description: "Why the script could answer no more." },
});

const plan = objectOf({
  access: objectOf({
    by: { type: "string", enum: ["scan", "row id", "index"] },
    "columns?": listOf(text),
    "search?": { type: "string", enum: ["equal", "range", "all"] },
  }),
  candidates: { ...count, description: "How many rows the access finds." },
  tests: {
    ...listOf({ type: "object" }),
    description: "The conditions that are tested row by row.",
  },
  order: { description: '`as found`, `sorted`, or `{"first": n}`.' },
});

const place = {
  cassette: text,
  number: { ...count, description: "The recording's number in the cassette, from 1." },
};

const response = objectOf({
  headers: { type: "object", additionalProperties: text },
  body: {
    description:
      "The parsed value if it is JSON, else the text; null for an event stream, and without a body.",
  },
  "encoding?": { ...text, description: "`base64` for bytes that are no text." },
  truncated: {
    type: "boolean",
    description: "Whether there was more than the 64 KB that are kept.",
  },
  frames: {
    ...listOf(
      objectOf({
        data: text,
        dueMs: {
          type: "number",
          description: "Milliseconds after the start of the stream, as planned.",
        },
        sentMs: {
          ...nullable("number"),
          description: "When the frame was sent, on the same scale; null if it was not.",
        },
      }),
    ),
    type: ["array", "null"],
    description: "The frames of an event stream; null for other bodies.",
  },
});

const conversation = objectOf({
  title: { ...text, description: "The first thing that the user said, in 80 characters." },
  answers: { ...count, description: "How many earlier answers the request sends back." },
  hasResults: { type: "boolean", description: "Whether the request has results of tools." },
  calls: { ...listOf(text), description: "The tools that the answer calls." },
  sent: { ...text, description: "A text that is the same for requests with the same body." },
  from: {
    ...listOf(text),
    description: "The states that the request may go on from, the likeliest first.",
  },
  to: {
    ...listOf(text),
    description:
      "The states that the answer leads to. A request that goes on from here has one of them in `from`.",
  },
});

/** A request of the journal, whole. */
export const requestSchema: JsonSchema = objectOf({
  id: { ...text, description: "A number, given when the request arrived." },
  at: time,
  session: { ...nullable("string"), description: "Null: the base session." },
  interface: { type: "string", enum: interfaceNames },
  method: text,
  path: text,
  query: { ...text, description: "Keys and tokens are shown as `***`." },
  headers: { type: "object", additionalProperties: text },
  body: {
    description:
      "The parsed value if it was JSON of at most 1,000 levels, else the text; null without a body.",
  },
  bodyText: {
    ...nullable("string"),
    description:
      "The body's text if the parsed value does not give it again: it has numbers beyond doubles, a key twice, or only a text.",
  },
  status: { ...count, description: "0 if a fault prevented an answer, and before it begins." },
  ended: {
    type: "string",
    enum: ["pending", ...answerEnds],
    description: "How the request ended for the client; `pending` while it is under way.",
  },
  problem: {
    ...nullable("string"),
    description: "Why the client got no whole answer, or the sentence of a refusal.",
  },
  response: {
    ...response,
    type: ["object", "null"],
    description: "What the client got; null if nothing, and before the answer begins.",
  },
  chat: {
    ...objectOf({
      model: nullable("string"),
      said: { ...text, description: "The beginning of the user's last message." },
      stream: { type: "boolean" },
    }),
    type: ["object", "null"],
    description: "What a chat asks for.",
  },
  tokens: {
    ...nullable("integer"),
    description: "The tokens of a chat in all, by the usage in its answer.",
  },
  rows: { ...nullable("integer"), description: "How many rows were read from a table." },
  console: { ...nullable("string"), description: "How a console marked its request." },
  usage: { description: "The usage in a chat's answer; null if it has none." },
  finishReason: {
    ...nullable("string"),
    description: "The finish reason of a chat's first choice.",
  },
  answeredBy: nullable("string"),
  script: { ...nullable("string"), description: "The chat script that answered." },
  reply: {
    ...nullable("integer"),
    description: "The index in its `replies`, from 0; null if it has a single reply.",
  },
  misses: {
    ...listOf(miss),
    description: "The closest scripts that did not match, the closest first.",
  },
  missed: { ...count, description: "How many scripts did not match in all." },
  matched: {
    ...listOf(objectOf({ criterion: text, expected: text, seen: text })),
    description: "The conditions of the script that answered.",
  },
  alsoMatching: {
    ...listOf(text),
    description: "Later scripts whose conditions hold, too.",
  },
  change: {
    ...objectOf({
      table: text,
      key: { type: "object", description: "The values of its key, by column." },
      before: { type: ["object", "null"], description: "Null: the request added it." },
      after: { type: ["object", "null"], description: "Null: the request deleted it." },
    }),
    type: ["object", "null"],
    description: "The row that the request changed.",
  },
  keyProblem: {
    ...nullable("string"),
    description: "What was wrong with the key, of a request that was refused for it.",
  },
  brokenBy: {
    ...objectOf({
      kind: text,
      afterChunks: {
        ...nullable("integer"),
        description: "How many events came before the fault. Comments do not count.",
      },
    }),
    type: ["object", "null"],
    description: "The fault in the answer.",
  },
  plan: {
    ...plan,
    type: ["object", "null"],
    description: "How the table finds the rows, computed when you read the entry.",
  },
  fault: {
    ...nullable("string"),
    description: "The id of the planned fault that answered or delayed the answer.",
  },
  recording: {
    ...objectOf(place),
    type: ["object", "null"],
    description: "The recording that was replayed.",
  },
  closestRecording: {
    ...objectOf({
      ...place,
      differences: listOf(objectOf({ at: text, "recorded?": text, "sent?": text })),
    }),
    type: ["object", "null"],
    description:
      "If the request was refused because it is not recorded: the closest recording, and where it differs.",
  },
  durationMs: {
    type: "number",
    description: "The time from the arrival to the end; while the request is under way, to now.",
  },
  queuedMs: {
    ...nullable("number"),
    description:
      "How long a chat waited for capacity; null if any number of chats may run, and while the request is under way.",
  },
  bytes: {
    ...count,
    description: "Bytes of the body that was sent; so far, while the request is under way.",
  },
  chunksSent: { ...count, description: "Frames of a stream that were sent." },
  aborted: { type: "boolean" },
  retryCount: { ...nullable("integer"), description: "How often the client says it retried." },
  conversation: {
    ...conversation,
    type: ["object", "null"],
    description:
      "Where a chat stands in its conversation. Texts of `sent`, `from` and `to` are only compared.",
  },
});

/** The requests of the journal, as JSON or as an HTTP archive. */
export const requestsSchema: JsonSchema = {
  anyOf: [
    objectOf({
      beganAt: {
        ...time,
        description: "When the session started, or started over.",
      },
      reloads: {
        ...listOf(
          objectOf({
            at: time,
            after: { ...text, description: "The id of the last request that had arrived by then." },
          }),
        ),
        description: "When fixtures were loaded again, the last 100 times.",
      },
      requests: listOf(requestSchema),
    }),
    { ...objectOf({ log: { type: "object" } }), description: "With `format=har`: HAR 1.2." },
  ],
};

/** The requests of the journal as live events. */
export const liveSchema: JsonSchema = {
  type: "string",
  description:
    "Server-sent events. The data of `request` is an entry as in the list; without `bodies=true`, without its headers and bodies and what is read from them, except `conversation`. The data of `progress` is an object with `requests` (`id`, `session`, `durationMs`, `chunksSent`, `bytes`, and with `bodies=true` the new `frames`) and `elsewhere`, how many are under way in other sessions.",
};
