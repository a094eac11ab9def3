import type {
  RecordedAnswer,
  RecordedBody,
  RecordedPart,
  RecordedRequest,
  Recording,
} from "../../replay/cassette.ts";
import { byLeadKey, closedObject, namedValues, optional, required } from "../../schema/objects.ts";
import {
  arrayOf,
  jsonValue,
  milliseconds,
  nonEmptyText,
  number,
  oneOf,
  text,
  textLike,
} from "../../schema/values.ts";
import { isObject } from "../../schema/json.ts";
import type { Schema, SchemaRun } from "../../schema/schema.ts";

/** A cassette as it is written. One that is a file of a folder is called as that. */
export interface CassetteInput {
  readonly name?: string;
  readonly interface: "chat" | "rest";
  readonly upstream: string;
  readonly recordings: readonly Recording[];
}

const base64: Schema<string> = {
  check: (value, run) => {
    if (typeof value !== "string") return run.mustBe("a text", value);
    // Not one pattern for all of it, which could not be matched with megabytes.
    const digits = value.replace(/={1,2}$/, "");
    const isBase64 = value.length % 4 === 0 && !/[^A-Za-z\d+/]/.test(digits);
    if (!isBase64) run.refuse("Expected bytes in base64, with the = at its end.");
  },
  json: () => ({ type: "string", pattern: /^[A-Za-z\d+/]*={0,2}$/.source }),
};

/** Half of a character of two units has no bytes. */
const wholeText: Schema<string> = {
  check: (value, run) => {
    text.check(value, run);
    if (typeof value !== "string" || !/\p{Cs}/u.test(value)) return;
    run.refuse(
      "Expected UTF-8 text, but found half of a character, which no body has. Write its bytes as base64.",
    );
  },
  json: text.json,
};

const body: Schema<RecordedBody> = byLeadKey({
  json: closedObject({
    json: required(jsonValue, "The value of a body that is JSON."),
    indent: optional(
      number({ whole: true, least: 1, most: 10 }),
      "Spaces that each level is indented by. Default: all on one line, without spaces.",
    ),
    end: optional(oneOf(["\n"]), "What comes after the JSON. Default: nothing."),
  }),
  text: closedObject({ text: required(wholeText, "A body that is UTF-8 text.") }),
  base64: closedObject({ base64: required(base64, "The bytes of any other body.") }),
});

const at = required(milliseconds, "When it was there, in milliseconds after the request was sent.");

const part: Schema<RecordedPart> = byLeadKey({
  text: closedObject({ atMs: at, text: required(wholeText, "One event, or what came at once.") }),
  base64: closedObject({ atMs: at, base64: required(base64, "What came at once and is no text.") }),
});

const headerName = textLike(
  /^[!#$%&'*+\-.^_`|~\da-z]+$/,
  'Expected the name of a header in lower case, such as "x-tenant"',
);

const headerValue = textLike(/^[\t\x20-\x7e\x80-\xff]*$/, "Expected a text that a header can have");

/** Headers by lower-case name. */
const headers: Schema<Record<string, string>> = {
  check: (value, run) => {
    namedValues(headerValue).check(value, run);
    if (!isObject(value)) return;
    for (const name of Object.keys(value)) {
      if (name !== "") headerName.check(name, { ...run, refuse: (why) => run.refuse(why, name) });
    }
  },
  json: (refer) => namedValues(headerValue).json(refer),
};

const request: Schema<RecordedRequest> = closedObject({
  method: required(
    textLike(/^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/, 'Expected a method, such as "POST"'),
    "The method.",
  ),
  path: required(
    textLike(/^(?:\/[^?#]*)?$/, 'Expected a path without a query, such as "/chat/completions"'),
    "What follows the interface's mount point, as it was sent.",
  ),
  query: optional(text, "As it was sent, without the question mark. Default: none."),
  headers: optional(
    headers,
    "Those by which requests are told apart, by name in lower case. Default: none.",
  ),
  body: optional(body, "What was sent. A JSON body is told by its value. Default: none."),
});

const ends = ["close", "reset", "hang"] as const;

const answerKeys = closedObject({
  status: required(
    number({ whole: true, least: 0, most: 599 }),
    "The status; 0 where the connection broke before it.",
  ),
  headers: required(headers, "By name in lower case."),
  afterMs: required(
    milliseconds,
    "When the head was there, in milliseconds after the request was sent.",
  ),
  body: optional(body, "A body that came as a whole."),
  stream: optional(arrayOf(part), "A body that came in parts, oldest first."),
  end: optional(
    closedObject({
      atMs: at,
      how: required(oneOf(ends), "As it should, by a broken connection, or not at all."),
    }),
    "When and how the stream ended. Default: with its last part, as it should.",
  ),
});

const answer: Schema<RecordedAnswer> = {
  check: (value, run) => {
    answerKeys.check(value, run);
    if (isObject(value)) checkAnswer(value, run);
  },
  json: (refer) => answerKeys.json(refer),
};

/** What the parts of an answer have to do with each other. */
function checkAnswer(value: Readonly<Record<string, unknown>>, run: SchemaRun): void {
  const { status, stream } = value;
  const has = (key: string): boolean => Object.hasOwn(value, key);
  if (typeof status === "number" && status > 0 && status < 200) {
    run.refuse(`"status" must be 0, or from 200 to 599, but is ${status}.`, "status");
  }
  if (has("body") && has("stream")) {
    run.refuse(`Only one of "body" and "stream" can be given.`, "stream");
  } else if (has("body") && has("end")) {
    run.refuse(`"end" is that of a "stream". A "body" came as a whole.`, "end");
  }
  if (status === 0 && (has("body") || has("stream"))) {
    const key = has("body") ? "body" : "stream";
    run.refuse(`The status 0 is that of no answer, which has no "${key}".`, key);
  }
  if (Array.isArray(stream)) checkTimes(stream, value, run);
}

function checkTimes(
  stream: readonly unknown[],
  { end }: Readonly<Record<string, unknown>>,
  run: SchemaRun,
): void {
  const times = [...stream, end].map((one) => (isObject(one) ? one["atMs"] : undefined));
  const known = times.filter((time) => typeof time === "number");
  const early = known.find((time, index) => time < (known[index - 1] ?? 0));
  if (early === undefined) return;
  run.refuse(`The parts of a stream come one after another: ${early} is too early.`, "stream");
}

const recording: Schema<Recording> = closedObject({
  request: required(request, "What was asked, without what replay does not look at."),
  answer: required(answer, "What was answered."),
});

/** The recordings of one conversation or table. */
export const cassetteSchema: Schema<CassetteInput> = closedObject({
  name: optional(
    nonEmptyText,
    "What it is called. Default: as its file; in a document, `cassette-` and its place.",
  ),
  interface: required(oneOf(["chat", "rest"]), "Which interface was asked."),
  upstream: required(text, "Where it was recorded."),
  recordings: required(arrayOf(recording), "In the order in which they were asked."),
});
