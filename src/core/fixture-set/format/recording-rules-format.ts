import { byLeadKey, closedObject, optional, required } from "../../schema/objects.ts";
import { isObject } from "../../schema/json.ts";
import type { Schema, SchemaRun } from "../../schema/schema.ts";
import { arrayOf, text, textLike } from "../../schema/values.ts";
import { regexProblem } from "../../replay/recording-rules.ts";
import { placeholderNamePattern } from "../../replay/recording-rules.ts";
import { pathProblem } from "../../replay/recording-path.ts";
import { showText } from "../../errors/show.ts";
import type { RedactRule } from "../../replay/cassette.ts";

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

const regexRule: typeof regexKeys = {
  check: (value, run) => {
    regexKeys.check(value, run);
    if (isObject(value)) checkRegex(value["regex"], value["flags"] ?? "", run);
  },
  json: (refer) => regexKeys.json(refer),
};

function checkRegex(regex: unknown, flags: unknown, run: SchemaRun): void {
  if (typeof regex !== "string" || typeof flags !== "string") return;
  const problem = regexProblem(regex, flags);
  if (problem !== undefined) run.refuse(`The rule cannot be used: ${problem.message}`);
}

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
