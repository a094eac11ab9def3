import {
  chunkFaultKinds,
  faultKindNames,
  type PlannedFaultKind,
  plannedFaultKinds,
} from "../../chat/faults/fault-kinds.ts";
import type { ChunkFault, Fault, FaultError } from "../../chat/scripts/script.ts";
import { nearestName } from "../../errors/nearest-name.ts";
import {
  arrayOf,
  byKind,
  choice,
  count,
  milliseconds,
  nonEmptyText,
  nullable,
  number,
  oneOf,
  positiveCount,
  text,
  textLike,
} from "../../schema/values.ts";
import { isObject } from "../../schema/json.ts";
import { closedObject, optional, required } from "../../schema/objects.ts";
import { type Schema, type SchemaRun, withRule } from "../../schema/schema.ts";
import { quoteList, showText, showValue } from "../../errors/show.ts";

const probability = optional(
  number({ least: 0, most: 1 }),
  "How likely it happens, drawn from the seed. Default: 1.",
);

const error: Schema<FaultError> = closedObject({
  message: required(text, "What went wrong."),
  type: optional(text, "The kind of error. Default: `server_error`."),
  code: optional(nullable(text), "The error's code."),
  param: optional(nullable(text), "The parameter that is to blame."),
});

const said = optional(error, "What the kind `error` says. Default: a server error.");

/** A fault of a whole reply. */
export const faultSchema: Schema<Fault> = closedObject({
  kind: required(oneOf(faultKindNames), "What goes wrong."),
  afterChunks: optional(count, "How many events with data come before it. Default: 0."),
  probability,
  error: said,
});

/** A fault among chunks. */
export const chunkFaultSchema: Schema<ChunkFault> = byKind(
  "a kind of fault, or an object with its `kind`",
  {
    string: oneOf(chunkFaultKinds),
    object: closedObject({
      kind: required(oneOf(chunkFaultKinds), "What goes wrong."),
      probability,
      error: said,
    }),
  },
);

/** The longest delay that can be planned, and the longest that is ever drawn: ten minutes. */
export const longestDelayMs = 600_000;

/** How long an answer is held back, in milliseconds: always as long, uniform between bounds, or log-normal. */
export type FaultDelay =
  | number
  | { readonly min: number; readonly max: number }
  | { readonly median: number; readonly sigma: number };

/** What goes wrong with which of the requests to come. */
export interface FaultRule {
  /** `rest` is another name of `tables`. Default: both. */
  readonly interface?: "tables" | "rest" | "chat";
  /** Default: any. */
  readonly method?: (typeof methods)[number];
  /** What the path begins with, as it is sent, inside of the session. */
  readonly path?: string;
  /** Only requests for this table or its rows. */
  readonly table?: string;
  /** After how often it no longer acts. Default: until it is removed. */
  readonly times?: number;
  /** How likely it acts, from 0 to 1, drawn from the seed. Default: 1. */
  readonly probability?: number;
  /** Alone it holds the usual answer back; with `status` or `fault` it passes before those. */
  readonly delayMs?: FaultDelay;
  /** Answers with this status, from 400 to 599, in the interface's own form. */
  readonly status?: number;
  /** What the error says. Only with `status`. */
  readonly message?: string;
  /** Sent as `retry-after-ms` and `retry-after`. Only with `status`. */
  readonly retryAfterMs?: number;
  /** Never answers, or breaks the connection before the head. */
  readonly fault?: PlannedFaultKind;
}

/** A rule that waits for requests. */
export interface PlannedFault extends FaultRule {
  /** Such as `fault 1`; what the journal says of requests that it answered. */
  readonly id: string;
  /** How many more times it acts. Undefined: until it is removed. */
  readonly left?: number;
}

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
const duration = number({ least: 0, most: longestDelayMs });

const range: Schema<{ readonly min: number; readonly max: number }> = withRule(
  closedObject({
    min: required(duration, "The shortest."),
    max: required(duration, "The longest."),
  }),
  ({ min, max }, run) => {
    if (min > max) run.refuse(`"min" is ${min}, which is more than "max", ${max}.`);
  },
);

const logNormal = closedObject({
  median: required(number({ above: 0, most: longestDelayMs }), "Half of them are longer."),
  sigma: required(
    number({ least: 0, most: 10 }),
    "How far they spread: the standard deviation of their logarithm.",
  ),
});

const delay: Schema<FaultDelay> = choice(
  [duration, range, logNormal],
  `a number, or an object with "min" and "max", or with "median" and "sigma"`,
  (value) => {
    if (typeof value === "number") return 0;
    if (!isObject(value)) return undefined;
    return isAbout(value, ["median", "sigma"], ["min", "max"]) ? 2 : 1;
  },
);

const plannedKind = oneOf(plannedFaultKinds);

const fault: Schema<PlannedFaultKind> = {
  check: (value, run) => {
    const needsReply = faultKindNames.some((kind) => kind === value) && !isPlanned(value);
    if (!needsReply) return plannedKind.check(value, run);
    const kind = JSON.stringify(value);
    run.refuse(
      `${kind} happens within a reply, so a script says it: {"reply": {"fault": {"kind": ${kind}}}}. ` +
        `Here it is one of ${quoteList(plannedFaultKinds)}.`,
    );
  },
  json: plannedKind.json,
};

function isPlanned(value: unknown): boolean {
  return plannedFaultKinds.some((kind) => kind === value);
}

const ruleKeys = {
  interface: optional(
    oneOf(["tables", "rest", "chat"]),
    "The interface: `rest` is another name of `tables`. Default: both.",
  ),
  method: optional(oneOf(methods), "The method. Default: any."),
  path: optional(
    textLike(
      /^\/(?!@|__backlot)[^?#]*$/,
      'Expected the beginning of a path inside of the session, without a query, such as "/v1/chat"',
    ),
    "What the path begins with, as it is sent.",
  ),
  table: optional(nonEmptyText, "Only requests for this table or its rows."),
  times: optional(positiveCount, "After how often it no longer acts. Default: until removed."),
  probability: optional(
    number({ least: 0, most: 1 }),
    "How likely it acts, drawn from the seed. Default: 1.",
  ),
  delayMs: optional(delay, "How long the answer is held back; also before `status` or `fault`."),
  status: optional(
    number({ whole: true, least: 400, most: 599 }),
    "The status of an error, in the interface's own form.",
  ),
  message: optional(nonEmptyText, "What the error says."),
  retryAfterMs: optional(milliseconds, "Sent as `retry-after-ms` and `retry-after`."),
  fault: optional(fault, "Never answers, or breaks the connection before the head."),
};

/** A planned fault as it is written. */
export const faultRuleSchema: Schema<FaultRule> = withRule(closedObject(ruleKeys), checkRule);

/** A planned fault as it is listed, and as an exported state has it. */
export const plannedFaultSchema: Schema<PlannedFault> = withRule(
  closedObject({
    id: required(textLike(/^fault [1-9]\d{0,14}$/, 'Expected an id such as "fault 1"'), "Its id."),
    ...ruleKeys,
    left: optional(positiveCount, "How many more times it acts."),
  }),
  checkPlanned,
);

/** All planned faults of a state, each with an id of its own. */
export const plannedFaultsSchema: Schema<readonly PlannedFault[]> = withRule(
  arrayOf(plannedFaultSchema),
  (planned, run) => {
    const ids = planned.map(({ id }) => id);
    const repeated = ids.find((id, index) => ids.indexOf(id) < index);
    if (repeated !== undefined) run.refuse(`Two faults have the id ${showValue(repeated)}.`);
  },
);

const effects = ["status", "delayMs", "fault"] as const;

/** What the keys have to do with each other. */
function checkRule(rule: FaultRule, run: SchemaRun): void {
  if (effects.every((effect) => rule[effect] === undefined)) {
    run.refuse(`It does nothing. Add ${quoteList(effects)}.`);
  }
  const has = (key: string): boolean => Object.hasOwn(rule, key);
  if (has("status") && has("fault")) {
    run.refuse(`Only one of "status" and "fault" can be given.`, "fault");
  }
  for (const key of ["message", "retryAfterMs"]) {
    if (!has(key) || has("status")) continue;
    run.refuse(`${showText(key)} belongs to an error. Give its "status" too.`, key);
  }
  if (has("table") && rule.interface === "chat") {
    run.refuse(`Chat has no tables. Leave out "table", or "interface".`, "table");
  }
}

/** What a rule that waits has to do with how often it acts. */
function checkPlanned(planned: PlannedFault, run: SchemaRun): void {
  checkRule(planned, run);
  const { left, times } = planned;
  if (left === undefined) return;
  if (times === undefined) {
    run.refuse(`"left" is what is left of "times". Give that too.`, "left");
  } else if (left > times) {
    run.refuse(`"left" is ${left}, which is more than "times", ${times}.`, "left");
  }
}

/** Whether a value has one of these keys, spelt rightly or nearly so. `others` are the keys that may be meant instead. */
function isAbout(value: object, keys: readonly string[], others: readonly string[]): boolean {
  return Object.keys(value).some((key) =>
    keys.includes(nearestName(key, [...keys, ...others]) ?? ""),
  );
}
