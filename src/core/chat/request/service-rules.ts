import { asObject, isObject, isPresent, type JsonObject } from "../../schema/json.ts";
import { type ChatError, chatErrors } from "../errors.ts";
import type { ChatModel } from "../models.ts";
import type { ChatRequest, RequestForm } from "./chat-request.ts";
import { ruleErrors } from "./rule-errors.ts";
import { schemaProblem } from "./schema-problem.ts";

/** A request whose fields are all valid by themselves. */
export interface RuledRequest {
  readonly form: RequestForm;
  readonly request: ChatRequest;
}

/** A rule of the service beyond the fields. */
interface ServiceRule {
  /** The name of the rule in docs/fidelity.md, which gives its source. A test tries each rule. */
  readonly name: string;
  /** The forms of requests that the rule is for. */
  readonly forms: readonly RequestForm[];
  readonly refuse: (ruled: RuledRequest) => ChatError | undefined;
}

const completions = ["completions"] as const;
const both = ["completions", "responses"] as const;

/** The rules for arguments that exclude or need each other, and for schemas. */
export const bodyRules: readonly ServiceRule[] = [
  { name: "stream-options", forms: completions, refuse: onlyEnabled("stream_options", "stream") },
  { name: "top-logprobs", forms: completions, refuse: onlyEnabled("top_logprobs", "logprobs") },
  { name: "metadata-store", forms: completions, refuse: onlyEnabled("metadata", "store") },
  { name: "token-limits", forms: completions, refuse: refuseBothLimits },
  { name: "audio", forms: completions, refuse: refuseMissingAudio },
  { name: "tools-needed", forms: completions, refuse: refuseWithoutTools },
  { name: "tool-choice", forms: completions, refuse: refuseToolChoice },
  { name: "function-call", forms: completions, refuse: refuseFunctionCall },
  { name: "function-schemas", forms: both, refuse: refuseFunctionSchemas },
  { name: "answer-schema", forms: both, refuse: refuseAnswerSchema },
  { name: "word-json", forms: both, refuse: refuseWithoutWord },
];

/** The rules of models that reason before they answer. */
const reasoningRules: readonly ServiceRule[] = [
  { name: "reasoning-max-tokens", forms: completions, refuse: refuseMaxTokens },
  { name: "reasoning-temperature", forms: completions, refuse: refuseTemperature },
  { name: "reasoning-parameters", forms: both, refuse: refuseParameters },
];

/** All rules, for the docs. */
export const serviceRules: readonly Pick<ServiceRule, "name" | "forms">[] = [
  ...bodyRules,
  ...reasoningRules,
];

/** The error for a request that is refused whatever its model is; undefined if no rule refuses it. */
export function refuseByRules(ruled: RuledRequest): ChatError | undefined {
  return firstRefusal(bodyRules, ruled);
}

/** The error for a request that its model refuses; undefined if the model takes it. */
export function refuseByModel(
  ruled: RuledRequest,
  { reasoning }: Pick<ChatModel, "reasoning">,
): ChatError | undefined {
  const { model } = ruled.request;
  const reasons = reasoning ?? isReasoningName(model);
  return reasons ? firstRefusal(reasoningRules, ruled) : undefined;
}

function firstRefusal(rules: readonly ServiceRule[], ruled: RuledRequest): ChatError | undefined {
  for (const { forms, refuse } of rules) {
    const error = forms.includes(ruled.form) ? refuse(ruled) : undefined;
    if (error !== undefined) return error;
  }
  return undefined;
}

function onlyEnabled(param: string, needed: string): ServiceRule["refuse"] {
  return ({ request: { body } }) =>
    isPresent(body[param]) && body[needed] !== true
      ? chatErrors.onlyEnabled(param, needed)
      : undefined;
}

function refuseBothLimits({ request: { body } }: RuledRequest): ChatError | undefined {
  const { max_tokens: most, max_completion_tokens: mostInAll } = body;
  return isPresent(most) && isPresent(mostInAll) ? ruleErrors.bothLimits() : undefined;
}

function refuseMissingAudio({ request: { body } }: RuledRequest): ChatError | undefined {
  const { modalities, audio } = body;
  const isSpoken = Array.isArray(modalities) && modalities.includes("audio");
  return isSpoken && !isPresent(audio) ? chatErrors.missing("audio") : undefined;
}

function refuseWithoutTools({ request: { body } }: RuledRequest): ChatError | undefined {
  if (Array.isArray(body["tools"])) return undefined;
  const alone = ["tool_choice", "parallel_tool_calls"].find((name) => isPresent(body[name]));
  return alone === undefined ? undefined : chatErrors.onlyWithList(alone, "tools");
}

function refuseToolChoice({ request: { body } }: RuledRequest): ChatError | undefined {
  const tools = itemsOf(body["tools"]);
  for (const kind of ["function", "custom"]) {
    const chosen = nameOf(asObject(body["tool_choice"])?.[kind]);
    const offered = tools.map((tool) => nameOf(tool[kind]) ?? "");
    if (chosen !== undefined && !offered.includes(chosen)) {
      return chatErrors.notOffered("tool_choice", chosen, offered.filter(Boolean), "tools");
    }
  }
  return undefined;
}

function refuseFunctionCall({ request: { body } }: RuledRequest): ChatError | undefined {
  const { functions, function_call: call } = body;
  if (!isPresent(call)) return undefined;
  if (!Array.isArray(functions)) return chatErrors.onlyWithList("function_call", "functions");
  const chosen = nameOf(call);
  const offered = functions.map((item) => nameOf(item) ?? "");
  return chosen === undefined || offered.includes(chosen)
    ? undefined
    : chatErrors.notOffered("function_call", chosen, offered, "functions");
}

function refuseFunctionSchemas(ruled: RuledRequest): ChatError | undefined {
  for (const { given, param } of functionsOf(ruled)) {
    const { name, parameters, strict } = given;
    if (!isObject(parameters)) continue;
    const problem = schemaProblem(parameters, { isStrict: strict === true });
    if (problem !== undefined) {
      return ruleErrors.badFunctionSchema(`${param}.parameters`, String(name), problem);
    }
  }
  return undefined;
}

/** The offered functions, and where each is in the request. */
function functionsOf({
  form,
  request: { body },
}: RuledRequest): readonly { readonly given: JsonObject; readonly param: string }[] {
  const tools = itemsOf(body["tools"]).flatMap((tool, at) => {
    if (tool["type"] !== "function") return [];
    if (form === "responses") return [{ given: tool, param: `tools[${at}]` }];
    const given = asObject(tool["function"]);
    return given === undefined ? [] : [{ given, param: `tools[${at}].function` }];
  });
  const older = itemsOf(body["functions"]).map((given, at) => ({
    given,
    param: `functions[${at}]`,
  }));
  return [...tools, ...older];
}

function refuseAnswerSchema({ form, request }: RuledRequest): ChatError | undefined {
  const format = asObject(request.options["response_format"]);
  const { name, schema, strict } = asObject(format?.["json_schema"]) ?? {};
  if (strict !== true || !isObject(schema)) return undefined;
  const problem = schemaProblem(schema, { isStrict: true });
  if (problem === undefined) return undefined;
  const place =
    form === "responses"
      ? { param: "text.format.schema", code: "invalid_json_schema" }
      : { param: "response_format", code: null };
  return ruleErrors.badAnswerSchema(place, String(name), problem);
}

/**
 * Refuses a request for JSON whose messages lack the word "json". Without the word, a model may answer with blanks for
 * ever.
 */
function refuseWithoutWord({ form, request }: RuledRequest): ChatError | undefined {
  const { response_format: format, messages } = request.options;
  if (asObject(format)?.["type"] !== "json_object") return undefined;
  const said = JSON.stringify(itemsOf(messages).map(({ content }) => content));
  return /json/i.test(said) ? undefined : ruleErrors.noWordJson(form);
}

/** Whether a model's name says that it reasons. The name may begin with its maker. */
function isReasoningName(name: string): boolean {
  const { isOfSeriesO, major, variant } = nameParts(name);
  return isOfSeriesO || (major >= 5 && !variant.startsWith("chat"));
}

interface NameParts {
  /** Whether the model is o1, o3 and so on. */
  readonly isOfSeriesO: boolean;
  /** The version of a GPT, else 0. */
  readonly major: number;
  readonly minor: number;
  readonly variant: string;
}

function nameParts(name: string): NameParts {
  const own = name.slice(name.lastIndexOf("/") + 1);
  const [, major = "0", minor = "0", variant = ""] =
    /^gpt-(\d+)(?:\.(\d+))?(?:-(.+))?$/.exec(own) ?? [];
  const isOfSeriesO = /^o\d+(?:-|$)/.test(own);
  return { isOfSeriesO, major: Number(major), minor: Number(minor), variant };
}

/**
 * Whether the model does not reason for this request: the request turns reasoning off, or leaves it off for GPT-5.1 and
 * later, which do not reason by default.
 */
function isWithoutReasoning({ form, request: { body, model } }: RuledRequest): boolean {
  const asked =
    form === "responses" ? asObject(body["reasoning"])?.["effort"] : body["reasoning_effort"];
  if (isPresent(asked)) return asked === "none";
  const { major, minor, variant } = nameParts(model);
  return major === 5 && minor >= 1 && !/pro|codex/.test(variant);
}

function refuseMaxTokens({ request: { body } }: RuledRequest): ChatError | undefined {
  return isPresent(body["max_tokens"])
    ? ruleErrors.unsupportedParameter("max_tokens", { instead: "max_completion_tokens" })
    : undefined;
}

/** The only value that a model takes for a parameter while it reasons, which is the default. */
const onlyValues: Readonly<Record<string, unknown>> = {
  temperature: 1,
  top_p: 1,
  presence_penalty: 0,
  frequency_penalty: 0,
  logprobs: false,
};

function refuseTemperature(ruled: RuledRequest): ChatError | undefined {
  const { temperature } = ruled.request.body;
  return isUnusual("temperature", ruled)
    ? ruleErrors.unsupportedValue("temperature", temperature, 1)
    : undefined;
}

const refusedIn: Readonly<Record<RequestForm, readonly string[]>> = {
  completions: [
    "top_p",
    "presence_penalty",
    "frequency_penalty",
    "logprobs",
    "top_logprobs",
    "logit_bias",
    "stop",
  ],
  responses: ["temperature", "top_p"],
};

function refuseParameters(ruled: RuledRequest): ChatError | undefined {
  const { form } = ruled;
  const name = refusedIn[form].find((param) => isUnusual(param, ruled));
  if (name === undefined) return undefined;
  // In Responses, this error has no code.
  return ruleErrors.unsupportedParameter(name, form === "responses" ? { code: null } : {});
}

/** Whether a request gives a parameter a value that a model does not take while it reasons. */
function isUnusual(param: string, ruled: RuledRequest): boolean {
  const value = ruled.request.body[param];
  return isPresent(value) && value !== onlyValues[param] && !isWithoutReasoning(ruled);
}

function nameOf(value: unknown): string | undefined {
  const name = asObject(value)?.["name"];
  return typeof name === "string" ? name : undefined;
}

function itemsOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.map((item) => asObject(item) ?? {}) : [];
}
