import { type InterfaceName, interfaceNames, interfaces } from "../../interface.ts";
import {
  chunkFaultKinds,
  type FaultKind,
  faultKindNames,
  faultKinds,
} from "../../chat/faults/fault-kinds.ts";
import type { Delay } from "../../chat/delay.ts";
import type { ConversationScope } from "../../chat/faults/conversation-scope.ts";
import { checkWhen } from "../../chat/scripts/check-when.ts";
import type { ChunkFault, Fault, FaultError } from "../../chat/scripts/script.ts";
import { quoteList, showText, showValue } from "../../errors/show.ts";
import {
  arrayOf,
  byKind,
  count,
  jsonValue,
  milliseconds,
  nonEmptyText,
  nullable,
  number,
  oneOf,
  positiveCount,
  text,
  textLike,
} from "../../schema/values.ts";
import { closedObject, namedValues, optional, required } from "../../schema/objects.ts";
import { faultDelay } from "../../settings/delay.ts";
import { type Schema, type SchemaRun, withRule } from "../../schema/schema.ts";
import { showPath } from "../../schema/json.ts";
import { whenSchema } from "./when-format.ts";

const probability = optional(
  number({ least: 0, most: 1 }),
  "The probability that the fault happens, drawn from the seed. Default: 1.",
);

const error: Schema<FaultError> = closedObject({
  message: required(text, "The error's message, which can be a template."),
  type: optional(text, "The kind of error. Default: `server_error`."),
  code: optional(nullable(text), "The error's code."),
  param: optional(nullable(text), "The parameter at fault."),
  extra: optional(namedValues(jsonValue), "More keys of the error, sent as they are."),
});

const errorOption = optional(
  error,
  "The error that the kind `error` sends. Default: a server error.",
);

/** A fault of a whole reply. */
export const faultSchema: Schema<Fault> = closedObject({
  kind: required(oneOf(faultKindNames), "What goes wrong."),
  afterChunks: optional(count, "How many data events are sent before the fault. Default: 0."),
  afterMs: optional(
    milliseconds,
    "In place of `afterChunks`: how many milliseconds after the head the fault happens.",
  ),
  probability,
  error: errorOption,
});

/** A fault that occurs among the chunks of a stream. */
export const chunkFaultSchema: Schema<ChunkFault> = byKind(
  "a kind of fault, or an object with its `kind`",
  {
    string: oneOf(chunkFaultKinds),
    object: closedObject({
      kind: required(oneOf(chunkFaultKinds), "What goes wrong."),
      probability,
      error: errorOption,
    }),
  },
);

/** A planned fault, which affects some of the next requests. */
export interface FaultRule extends ConversationScope {
  /** Only requests to this interface. Default: both. */
  readonly interface?: InterfaceName;
  /** Only requests with this method. Default: any. */
  readonly method?: (typeof methods)[number];
  /** The beginning of the path as sent, without the session prefix. */
  readonly path?: string;
  /** Only requests for this table or its rows. */
  readonly table?: string;
  /** How often the fault acts. Default: until it is removed. */
  readonly times?: number;
  /**
   * The fault acts on every n-th request that it applies to: with 5, it lets four pass and acts on the fifth.
   * Default: 1.
   */
  readonly every?: number;
  /** The probability that the fault acts, from 0 to 1, drawn from the seed. Default: 1. */
  readonly probability?: number;
  /** Delays the usual answer, or the answer that `status` or `fault` gives. */
  readonly delayMs?: Delay;
  /** Answers with this status, from 400 to 599, in the interface's own error format. */
  readonly status?: number;
  /** The error's message. Only with `status`. */
  readonly message?: string;
  /** Sent as `retry-after-ms` and `retry-after`. Only with `status`. */
  readonly retryAfterMs?: number;
  /** What goes wrong with the usual answer. `hang` and, before the first event, `reset` replace it. */
  readonly fault?: FaultKind;
  /**
   * How many events of a stream are sent before the fault. Other answers are sent by half. Only with `fault`. Default:
   * 0.
   */
  readonly afterChunks?: number;
}

/** A planned fault with its state. */
export interface PlannedFault extends FaultRule {
  /** An id such as `fault 1`. The journal names it for each request that the fault affected. */
  readonly id: string;
  /** How many more times the fault acts. Undefined: until it is removed. */
  readonly left?: number;
  /** With `every`: how many requests have passed since the fault last acted. */
  readonly passed?: number;
}

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

const ruleKeys = {
  interface: optional(oneOf(interfaceNames), "The interface. Default: both."),
  method: optional(oneOf(methods), "The method. Default: any."),
  path: optional(
    textLike(
      /^\/(?!@|__backlot)[^?#]*$/,
      'Expected the beginning of a path, without session and query, such as "/v1/chat"',
    ),
    "The beginning of the path, as sent.",
  ),
  table: optional(nonEmptyText, "Only requests for this table or its rows."),
  when: optional(
    whenSchema,
    "Only requests to a model that fulfil these conditions, as in a script.",
  ),
  script: optional(nonEmptyText, "Only requests that this script would answer."),
  times: optional(positiveCount, "How often the fault acts. Default: until it is removed."),
  every: optional(
    positiveCount,
    "The fault acts on each n-th request that it applies to. Default: 1.",
  ),
  probability: optional(
    number({ least: 0, most: 1 }),
    "The probability that the fault acts, drawn from the seed. Default: 1.",
  ),
  delayMs: optional(
    faultDelay,
    "How long the answer is delayed; also applies to `status` and `fault`.",
  ),
  status: optional(
    number({ whole: true, least: 400, most: 599 }),
    "The status of an error in the interface's own format.",
  ),
  message: optional(nonEmptyText, "The error's message."),
  retryAfterMs: optional(milliseconds, "Sent as `retry-after-ms` and `retry-after`."),
  fault: optional(
    oneOf(faultKindNames),
    "What goes wrong with the usual answer. `hang`, and `reset` before the first event, come in place of it.",
  ),
  afterChunks: optional(count, "How many events of a stream are sent before `fault`. Default: 0."),
};

/** A planned fault as written. */
export const faultRuleSchema: Schema<FaultRule> = withRule(closedObject(ruleKeys), checkRule);

/** A planned fault as listed, and as exported with a state. */
export const plannedFaultSchema: Schema<PlannedFault> = withRule(
  closedObject({
    id: required(textLike(/^fault [1-9]\d{0,14}$/, 'Expected an id such as "fault 1"'), "Its id."),
    ...ruleKeys,
    left: optional(positiveCount, "How many more times the fault acts."),
    passed: optional(count, "How many requests have passed since the fault last acted."),
  }),
  checkPlanned,
);

/** All planned faults of a state, with unique ids. */
export const plannedFaultsSchema: Schema<readonly PlannedFault[]> = withRule(
  arrayOf(plannedFaultSchema),
  (planned, run) => {
    const ids = planned.map(({ id }) => id);
    const repeated = ids.find((id, index) => ids.indexOf(id) < index);
    if (repeated !== undefined) run.refuse(`Two faults have the id ${showValue(repeated)}.`);
  },
);

const effects = ["status", "delayMs", "fault"] as const;

/** Checks the keys against each other. */
function checkRule(rule: FaultRule, run: SchemaRun): void {
  if (effects.every((effect) => rule[effect] === undefined)) {
    run.refuse(`The fault does nothing. Add ${quoteList(effects)}.`);
  }
  const has = (key: string): boolean => Object.hasOwn(rule, key);
  if (has("status") && has("fault")) {
    run.refuse(`Give "status" or "fault", not both.`, "fault");
  }
  for (const key of ["message", "retryAfterMs"]) {
    if (!has(key) || has("status")) continue;
    run.refuse(`${showText(key)} belongs to an error. Give its "status" too.`, key);
  }
  if (has("afterChunks")) {
    const noPlace = rule.fault && faultKinds[rule.fault].whyNoPlace;
    const why = noPlace === undefined ? undefined : `afterChunks ${noPlace}.`;
    const message = rule.fault === undefined ? 'It belongs to a "fault".' : why;
    if (message !== undefined) run.refuse(message, "afterChunks");
  }
  checkScope(rule, run);
}

/** Checks the keys that say which requests a fault is for. */
function checkScope(rule: FaultRule, run: SchemaRun): void {
  const has = (key: string): boolean => Object.hasOwn(rule, key);
  const asked = rule.interface;
  for (const key of ["when", "script"]) {
    if (!has(key) || asked === undefined || interfaces[asked].hasModels) continue;
    run.refuse(`The interface "${asked}" has no models. Remove "${key}" or "interface".`, key);
  }
  if (has("table") && (has("when") || has("script"))) {
    run.refuse(
      `"table" is for requests for rows, "when" and "script" are for requests to a model. Give one of them.`,
      "table",
    );
  }
  for (const { path, message } of checkWhen(rule, ["when"])) {
    run.refuse(`${showPath(path)} ${message}.`, "when");
  }
  if (has("table") && asked !== undefined && interfaces[asked].isOfTable === undefined) {
    run.refuse(`The interface "${asked}" has no tables. Remove "table" or "interface".`, "table");
  }
}

/** Checks the counts against the rule that they count for. */
function checkPlanned(planned: PlannedFault, run: SchemaRun): void {
  checkRule(planned, run);
  const { left, times, every = 1, passed = 0 } = planned;
  if (passed > 0 && passed >= every) {
    run.refuse(`"passed" is ${passed}, which is not less than "every", ${every}.`, "passed");
  }
  if (left === undefined) return;
  if (times === undefined) {
    run.refuse(`"left" needs "times", which it counts down.`, "left");
  } else if (left > times) {
    run.refuse(`"left" is ${left}, which is more than "times", ${times}.`, "left");
  }
}
