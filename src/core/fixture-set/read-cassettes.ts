import { interfaceNames } from "../interface.ts";
import {
  type Cassette,
  type NamedCassette,
  type RecordedAnswer,
  type RecordedBody,
  type RecordedPart,
  type RecordedRequest,
  type Recording,
  type RecordingRules,
  type VolatileRule,
  unusedChoices,
  usualRecordingRules,
} from "../recordings/cassette.ts";
import { closedObject, namedValues, optional, required } from "../schema/objects.ts";
import { byLeadKey } from "../schema/tagged-objects.ts";
import {
  arrayOf,
  byKind,
  jsonValue,
  milliseconds,
  nonEmptyText,
  number,
  oneOf,
  text,
  textLike,
} from "../schema/values.ts";
import { timeText } from "../schema/time.ts";
import {
  check,
  type Schema,
  type SchemaRun,
  type ValueOf,
  withRule,
  type Findings,
} from "../schema/schema.ts";
import { placeholderNamePattern, regexProblem } from "../recordings/recording-rules.ts";
import { agePattern } from "../recordings/expiry.ts";
import { pathProblem } from "../recordings/recording-path.ts";
import { showText, showValue, didYouMean, counted } from "../errors/show.ts";
import type { StateInput } from "./format/state-format.ts";

/** A cassette as written. A cassette in a file of its own takes the file's name. */
export interface CassetteInput extends Cassette {
  readonly name?: string;
}

const base64: Schema<string> = {
  check: (value, run) => {
    if (typeof value !== "string") return run.mustBe("a text", value);
    // A single pattern for the whole text would fail on megabytes.
    const digits = value.replace(/={1,2}$/, "");
    const isBase64 = value.length % 4 === 0 && !/[^A-Za-z\d+/]/.test(digits);
    if (!isBase64) run.refuse("Expected base64, with its = padding.");
  },
  json: () => ({ type: "string", pattern: /^[A-Za-z\d+/]*={0,2}$/.source }),
};

/** A lone surrogate has no UTF-8 bytes. */
const wholeText: Schema<string> = withRule(text, (value, run) => {
  if (!/\p{Cs}/u.test(value)) return;
  run.refuse("Expected UTF-8 text, but found half a surrogate pair. Write the bytes as base64.");
});

const body: Schema<RecordedBody> = byLeadKey({
  json: closedObject({
    json: required(jsonValue, "The value of a JSON body."),
    indent: optional(
      number({ whole: true, least: 1, most: 10 }),
      "Spaces of indentation per level. Default: everything on one line, without spaces.",
    ),
    end: optional(oneOf(["\n"]), "Text after the JSON. Default: none."),
  }),
  text: closedObject({ text: required(wholeText, "A UTF-8 text body.") }),
  base64: closedObject({ base64: required(base64, "Any other body, as base64.") }),
});

const at = required(
  milliseconds,
  "When the part arrived, in milliseconds after the request was sent.",
);

const part: Schema<RecordedPart> = byLeadKey({
  text: closedObject({
    atMs: at,
    text: required(wholeText, "One event or chunk of text."),
  }),
  base64: closedObject({
    atMs: at,
    base64: required(base64, "One chunk of bytes."),
  }),
});

const headerName = textLike(
  /^[!#$%&'*+\-.^_`|~\da-z]+$/,
  'Expected a lower-case header name, such as "x-tenant"',
);

const headerValue = textLike(/^[\t\n\x20-\x7e\x80-\xff]*$/, "Expected a valid header value");

/** Headers by lower-case name. */
const headersByName: Schema<Record<string, string>> = withRule(
  namedValues(headerValue),
  (headers, run) => {
    for (const [name, value] of Object.entries(headers)) {
      if (name !== "set-cookie" && value.includes("\n")) {
        run.refuse("Expected a valid header value: only set-cookie has several lines.", name);
      }
      headerName.check(name, { ...run, refuse: (why) => run.refuse(why, name) });
    }
  },
);

/** A place in a request or an answer. */
const recordingPath: Schema<string> = {
  check: (value, run) => {
    if (typeof value !== "string") return run.mustBe("a text", value);
    const problem = pathProblem(value);
    if (problem !== undefined) run.refuse(`${showText(value)} is not a valid place: ${problem}`);
  },
  json: () => ({ type: "string", pattern: /^(?:body$|(?:body|query|header)\.)/.source }),
};

const volatileRule: Schema<VolatileRule> = byKind("a place or an object", {
  string: recordingPath,
  object: withRule(
    closedObject({
      regex: required(text, "A JavaScript regular expression. What it matches is ignored."),
      flags: optional(text, "Flags, such as `i`. Default: none."),
      path: optional(
        recordingPath,
        "The place whose texts are searched, with all below it. Default: all texts of the request.",
      ),
    }),
    ({ regex, flags = "" }, run) => {
      const problem = regexProblem(regex, flags);
      if (problem !== undefined) run.refuse(`The rule cannot be used: ${problem.message}`);
    },
  ),
});

const request: Schema<RecordedRequest> = closedObject({
  method: required(
    textLike(/^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/, 'Expected a method, such as "POST"'),
    "The method.",
  ),
  path: required(
    textLike(/^(?:\/[^?#]*)?$/, 'Expected a path without a query, such as "/chat/completions"'),
    "The path below the interface's mount point, as sent.",
  ),
  query: optional(text, "The query as sent, without the question mark. Default: none."),
  headers: optional(
    headersByName,
    "The headers that tell requests apart, by lower-case name. Default: none.",
  ),
  body: optional(body, "The body. JSON bodies are compared by value. Default: none."),
  volatile: optional(
    arrayOf(volatileRule),
    "What replay ignores in this request, besides `recording.volatile`. Default: nothing.",
  ),
});

const ends = ["close", "reset", "hang"] as const;

const answerKeys = closedObject({
  status: required(
    number({ whole: true, least: 0, most: 599 }),
    "The status; 0 when the connection broke first.",
  ),
  headers: required(headersByName, "The headers, by lower-case name."),
  afterMs: required(
    milliseconds,
    "When the head arrived, in milliseconds after the request was sent.",
  ),
  body: optional(body, "A body that arrived whole."),
  stream: optional(arrayOf(part), "A body that arrived in parts, oldest first."),
  end: optional(
    closedObject({
      atMs: at,
      how: required(
        oneOf(ends),
        "`close`: properly; `reset`: with a broken connection; `hang`: never.",
      ),
    }),
    "When and how the stream ended. Default: properly, with its last part.",
  ),
});

const answer: Schema<RecordedAnswer> = withRule(answerKeys, checkAnswer);

/** Checks the parts of an answer against each other. */
function checkAnswer(value: ValueOf<typeof answerKeys>, run: SchemaRun): void {
  const { status, stream = [], end } = value;
  const has = (key: string): boolean => Object.hasOwn(value, key);
  if (status > 0 && status < 200) {
    run.refuse(`"status" must be 0, or from 200 to 599, but is ${status}.`, "status");
  }
  if (has("body") && has("stream")) {
    run.refuse(`Give "body" or "stream", not both.`, "stream");
  } else if (has("body") && has("end")) {
    run.refuse(`"end" needs a "stream". A "body" arrives whole.`, "end");
  }
  if (status === 0 && (has("body") || has("stream"))) {
    const key = has("body") ? "body" : "stream";
    run.refuse(`The status 0 means no answer, so there is no "${key}".`, key);
  }
  const times = [...stream, ...(end === undefined ? [] : [end])].map(({ atMs }) => atMs);
  const early = times.find((time, index) => time < (times[index - 1] ?? 0));
  if (early === undefined) return;
  run.refuse(`The parts of a stream must be in order of time: ${early} is too early.`, "stream");
}

const recording: Schema<Recording> = closedObject({
  request: required(request, "The request, without what replay ignores."),
  answer: required(answer, "The answer."),
});

/** The recordings of one conversation or table. */
export const cassetteSchema: Schema<CassetteInput> = closedObject({
  name: optional(
    nonEmptyText,
    "The name. Default: the file's name; in a document, `cassette-` and its index.",
  ),
  interface: required(oneOf(interfaceNames), "The interface."),
  upstream: required(text, "The URL of the recorded service."),
  recordedAt: optional(timeText, "When the first recording was made."),
  recordings: required(arrayOf(recording), "The recordings, in request order."),
});

const placeholder = required(
  textLike(placeholderNamePattern, 'Expected a word such as "email"'),
  "The placeholder's name: `email` gives `[email 1]`, `[email 2]` and so on.",
);

const regexKeys = closedObject({
  regex: required(text, "A JavaScript regular expression. Every match is removed."),
  flags: optional(text, "Flags, such as `i`. Default: none."),
  as: placeholder,
});

const regexRule = withRule(regexKeys, ({ regex, flags = "" }, run) => {
  const problem = regexProblem(regex, flags);
  if (problem !== undefined) run.refuse(`The rule cannot be used: ${problem.message}`);
});

/** How a fixture set is recorded and replayed. */
export const recordingRulesSchema: Schema<Partial<RecordingRules>> = closedObject({
  volatile: optional(
    arrayOf(volatileRule),
    "What replay ignores in requests: places such as `body.messages.*.name`, and matches of regular expressions.",
  ),
  headers: optional(
    arrayOf(textLike(/^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/, "Expected a header name")),
    "Headers that tell requests apart. Default: none.",
  ),
  redact: optional(
    arrayOf(
      byLeadKey({
        path: closedObject({ path: required(recordingPath, "The place."), as: placeholder }),
        regex: regexRule,
      }),
    ),
    "What is never written to disk, by place or regular expression. Keys are always removed.",
  ),
  secrets: optional(
    oneOf(["redact", "warn", "ignore"]),
    "What is done with values that look like secrets: keys of known services, passwords beside their names. Default: `redact`.",
  ),
  allow: optional(
    arrayOf(
      byLeadKey({
        path: closedObject({ path: required(recordingPath, "The place.") }),
        value: closedObject({ value: required(text, "The value.") }),
      }),
    ),
    "What stays although it looks like a secret, by place or value.",
  ),
  stable: optional(
    arrayOf(recordingPath),
    "Places of an answer that `backlot verify` compares by value, such as `body.model`. Elsewhere it compares the shape.",
  ),
  expiresIn: optional(
    textLike(agePattern, 'Expected an age such as "30d", "12h" or "90m"'),
    "The age at which cassettes are recorded anew, such as `30d`; a run that does not record warns. Default: never.",
  ),
  unusedRecordings: optional(
    oneOf(unusedChoices),
    "What happens at the end of a run if no request has used a recording. Default: `warn`.",
  ),
});

/** Reads the cassettes of a document. `names` holds their file names, by index. */
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
      const message = `The cassette takes its file's name, ${showText(name)}. Remove "name", or rename the file.`;
      findings.report([...path, "name"], message);
    }
    if (taken.has(name)) {
      const message = `Another cassette is called ${showText(name)}. Give each cassette its own "name".`;
      findings.report(input.name === undefined ? path : [...path, "name"], message);
    }
    taken.add(name);
    return [{ ...input, name }];
  });
}

/** Reads the rules for recording and replay. Header names become lower-case. */
export function readRecordingRules(value: unknown, findings: Findings): RecordingRules {
  if (value === undefined) return usualRecordingRules;
  const input = check(recordingRulesSchema, value, { path: ["recording"], findings });
  if (input === undefined) return usualRecordingRules;
  const headers = (input.headers ?? usualRecordingRules.headers).map((name) => name.toLowerCase());
  return { ...usualRecordingRules, ...input, headers };
}

/** Reports replay counts of cassettes or recordings that do not exist. */
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
