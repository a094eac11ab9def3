import {
  type NamedCassette,
  type RecordedAnswer,
  type RecordedBody,
  type RecordedPart,
  type RecordedRequest,
  type Recording,
  type RecordingRules,
  type RedactRule,
  usualRecordingRules,
} from "../replay/cassette.ts";
import { closedObject, namedValues, optional, required } from "../schema/objects.ts";
import { byLeadKey } from "../schema/tagged-objects.ts";
import {
  arrayOf,
  jsonValue,
  milliseconds,
  nonEmptyText,
  number,
  oneOf,
  text,
  textLike,
} from "../schema/values.ts";
import { check, type Schema, type SchemaRun, type ValueOf, withRule } from "../schema/schema.ts";
import { placeholderNamePattern, regexProblem } from "../replay/recording-rules.ts";
import { pathProblem } from "../replay/recording-path.ts";
import { showText, showValue } from "../errors/show.ts";
import { counted } from "../errors/counted.ts";
import { didYouMean } from "../errors/nearest-name.ts";
import type { StateInput } from "./format/state-format.ts";
import type { Findings } from "../schema/findings.ts";

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
const wholeText: Schema<string> = withRule(text, (value, run) => {
  if (!/\p{Cs}/u.test(value)) return;
  run.refuse(
    "Expected UTF-8 text, but found half of a character, which no body has. Write its bytes as base64.",
  );
});

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
const headersByName: Schema<Record<string, string>> = withRule(
  namedValues(headerValue),
  (headers, run) => {
    for (const name of Object.keys(headers)) {
      headerName.check(name, { ...run, refuse: (why) => run.refuse(why, name) });
    }
  },
);

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
    headersByName,
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
  headers: required(headersByName, "By name in lower case."),
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

const answer: Schema<RecordedAnswer> = withRule(answerKeys, checkAnswer);

/** What the parts of an answer have to do with each other. */
function checkAnswer(value: ValueOf<typeof answerKeys>, run: SchemaRun): void {
  const { status, stream = [], end } = value;
  const has = (key: string): boolean => Object.hasOwn(value, key);
  if (status > 0 && status < 200) {
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
  const times = [...stream, ...(end === undefined ? [] : [end])].map(({ atMs }) => atMs);
  const early = times.find((time, index) => time < (times[index - 1] ?? 0));
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

/** How a fixture set is recorded and replayed, as it is written. */
export interface RecordingRulesInput {
  readonly volatile?: readonly string[];
  readonly headers?: readonly string[];
  readonly redact?: readonly RedactRule[];
  readonly stable?: readonly string[];
}

/** A place in a request or an answer. */
const recordingPath: Schema<string> = {
  check: (value, run) => {
    if (typeof value !== "string") return run.mustBe("a text", value);
    const problem = pathProblem(value);
    if (problem !== undefined) run.refuse(`${showText(value)} is no such place: ${problem}`);
  },
  json: () => ({ type: "string", pattern: /^(?:body$|(?:body|query|header)\.)/.source }),
};

const placeholder = required(
  textLike(placeholderNamePattern, 'Expected a word such as "email"'),
  "What stands in its place: `email` gives `[email 1]`, `[email 2]` and so on.",
);

const regexKeys = closedObject({
  regex: required(text, "A regular expression of JavaScript. All that it matches is taken out."),
  flags: optional(text, "Its flags, such as `i`. Default: none."),
  as: placeholder,
});

const regexRule = withRule(regexKeys, ({ regex, flags = "" }, run) => {
  const problem = regexProblem(regex, flags);
  if (problem !== undefined) run.refuse(`The rule cannot be used: ${problem.message}`);
});

/** How a fixture set is recorded and replayed. */
export const recordingRulesSchema: Schema<RecordingRulesInput> = closedObject({
  volatile: optional(
    arrayOf(recordingPath),
    "Places of a request that replay does not look at, such as `body.messages.*.name`.",
  ),
  headers: optional(
    arrayOf(textLike(/^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/, "Expected the name of a header")),
    "Headers by which requests are told apart. Default: none.",
  ),
  redact: optional(
    arrayOf(
      byLeadKey({
        path: closedObject({ path: required(recordingPath, "The place."), as: placeholder }),
        regex: regexRule,
      }),
    ),
    "What never reaches the disk, by place or by regular expression. Keys are taken out in any case.",
  ),
  stable: optional(
    arrayOf(recordingPath),
    "Places of an answer whose values `backlot verify` compares, such as `body.model`; of all else only the shape.",
  ),
});

/** Reads the cassettes of a document. `names` are those of their files, by their place. */
export function readCassettes(
  value: unknown,
  names: readonly (string | undefined)[],
  findings: Findings,
): readonly NamedCassette[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    findings.report(["cassettes"], `"cassettes" must be an array, but is ${showValue(value)}.`);
    return [];
  }
  const taken = new Set<string>();
  return value.flatMap((item: unknown, index): readonly NamedCassette[] => {
    const path = ["cassettes", index];
    const input = check(cassetteSchema, item, { path, findings });
    if (input === undefined) return [];
    const fileName = names[index];
    const name = fileName ?? input.name ?? `cassette-${index + 1}`;
    if (input.name !== undefined && input.name !== name) {
      const message = `The cassette is called as its file, ${showText(name)}. Remove "name", or rename the file.`;
      findings.report([...path, "name"], message);
    }
    if (taken.has(name)) {
      const message = `Another cassette is called ${showText(name)}. Give each cassette a "name" of its own.`;
      findings.report(input.name === undefined ? path : [...path, "name"], message);
    }
    taken.add(name);
    return [{ ...input, name }];
  });
}

/** Reads what cassettes are recorded and replayed by. Names of headers become lower-case. */
export function readRecordingRules(value: unknown, findings: Findings): RecordingRules {
  if (value === undefined) return usualRecordingRules;
  const input = check(recordingRulesSchema, value, { path: ["recording"], findings });
  if (input === undefined) return usualRecordingRules;
  const headers = (input.headers ?? usualRecordingRules.headers).map((name) => name.toLowerCase());
  return { ...usualRecordingRules, ...input, headers };
}

/** Reports counts of recordings that are not there. */
export function checkPlayed(
  { played = {} }: StateInput,
  cassettes: readonly NamedCassette[],
  findings: Findings,
): void {
  const names = cassettes.map(({ name }) => name);
  for (const [name, counts] of Object.entries(played)) {
    const cassette = cassettes.find((one) => one.name === name);
    const path = ["state", "played", name];
    if (cassette === undefined) {
      const message = `There is no cassette ${showText(name)}.${didYouMean(name, names)}`;
      findings.report(path, message, { at: "key" });
    } else if (counts.length > cassette.recordings.length) {
      const recordings = counted(cassette.recordings.length, "recording");
      const verb = counts.length === 1 ? "is" : "are";
      const message = `There ${verb} ${counted(counts.length, "count")}, but the cassette has ${recordings}.`;
      findings.report(path, message);
    }
  }
}
