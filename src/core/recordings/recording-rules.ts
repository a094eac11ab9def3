import { EmulatorError } from "../errors/emulator-error.ts";
import type { RecordedRequest, RecordingRules, RedactRule, VolatileRule } from "./cassette.ts";
import { pathProblem, type Place, readPlace } from "./recording-path.ts";

const placeholderName = /[A-Za-z](?:[\w .-]{0,38}[\w.-])?/.source;

/** Valid values of `as`, so that a placeholder is the same in JSON, in a header and in a URL. */
export const placeholderNamePattern: RegExp = new RegExp(`^${placeholderName}$`);

/** A placeholder in a text. */
export const placeholderPattern: RegExp = new RegExp(`\\[(${placeholderName}) (\\d{1,6})\\]`, "g");

/** Rules that are read once and used for each exchange. */
export interface CompiledRules {
  readonly volatile: readonly Place[];
  readonly volatileTexts: readonly VolatileText[];
  /** Names of request headers to keep, in lower case, unique and sorted. */
  readonly headers: readonly string[];
  readonly places: readonly PlaceRule[];
  /** The rules for places in bodies. */
  readonly inBodies: readonly PlaceRule[];
  readonly regexes: readonly RegexRule[];
  readonly sameRequest: (request: RecordedRequest) => RecordedRequest;
  /** The rules for values that look like secrets: what is done with them, and which are allowed. */
  readonly likely: {
    readonly mode: NonNullable<RecordingRules["secrets"]>;
    readonly allowedPlaces: readonly PlaceRule[];
    readonly allowedValues: ReadonlySet<string>;
  };
  /** The names of placeholders. */
  readonly names: ReadonlySet<string>;
  /** The names that only regular expressions use. */
  readonly foundByRegex: ReadonlySet<string>;
}

/** Matches that are ignored in the texts of a request. */
export interface VolatileText {
  /** The regular expression, with the flag `g`. */
  readonly regex: RegExp;
  /** The place where matches are ignored. Undefined: everywhere. */
  readonly place: Place | undefined;
}

/** A place whose values are removed. */
export interface PlaceRule extends Place {
  readonly as: string;
}

/** Texts that are removed wherever they are found. */
export interface RegexRule {
  /** The regular expression, with the flag `g`. */
  readonly regex: RegExp;
  readonly as: string;
}

/** Reads the rules of a fixture set. Throws an EmulatorError that names a wrong rule. */
export function compileRules(rules: RecordingRules): CompiledRules {
  const places: PlaceRule[] = [];
  const regexes: RegexRule[] = [];
  for (const [index, rule] of rules.redact.entries()) {
    const problem = redactRuleProblem(rule);
    if (problem !== undefined)
      throw ruleError("redact", { path: `recording.redact[${index}].${problem.key}`, ...problem });
    if ("path" in rule) places.push({ ...readPlace(rule.path), as: rule.as });
    else {
      const { regex, flags = "", as } = rule;
      regexes.push({ regex: globalRegex(regex, flags), as });
    }
  }
  const headers = [...new Set(rules.headers.map((name) => name.toLowerCase()))].toSorted();
  const inBodies = places.filter(({ head }) => head === "body");
  const byPath = new Set(places.map(({ as }) => as));
  const byRegex = regexes.map(({ as }) => as);
  const { allow = [] } = rules;
  return {
    ...compileVolatile(rules.volatile),
    headers,
    places,
    inBodies,
    regexes,
    sameRequest: rules.sameRequest ?? ((request) => request),
    likely: {
      mode: rules.secrets ?? "redact",
      allowedPlaces: allow.flatMap((rule) =>
        "path" in rule ? [{ ...readPlace(rule.path), as: "" }] : [],
      ),
      allowedValues: new Set(allow.flatMap((rule) => ("value" in rule ? [rule.value] : []))),
    },
    names: new Set([...byPath, ...byRegex]),
    foundByRegex: new Set(byRegex.filter((name) => !byPath.has(name))),
  };
}

/** Reads what replay ignores. Throws an EmulatorError that names a wrong rule. */
function compileVolatile(
  rules: readonly VolatileRule[],
): Pick<CompiledRules, "volatile" | "volatileTexts"> {
  const volatile: Place[] = [];
  const volatileTexts: VolatileText[] = [];
  for (const [index, rule] of rules.entries()) {
    if (typeof rule === "string") {
      volatile.push(readPlace(rule));
      continue;
    }
    const { regex, flags = "", path } = rule;
    const problem = regexProblem(regex, flags);
    if (problem !== undefined) {
      const where = `recording.volatile[${index}].${problem.key}`;
      throw ruleError("compare requests", { ...problem, path: where });
    }
    const place = path === undefined ? undefined : readPlace(path);
    volatileTexts.push({ regex: globalRegex(regex, flags), place });
  }
  return { volatile, volatileTexts };
}

function globalRegex(source: string, flags: string): RegExp {
  return new RegExp(source, flags.includes("g") ? flags : `${flags}g`);
}

function ruleError(
  cannot: string,
  { path, message }: { readonly path: string; readonly message: string },
): EmulatorError {
  return new EmulatorError("ERR_FIXTURES_INVALID", `Cannot ${cannot} by ${path}: ${message}`, {
    problems: [{ path, message }],
  });
}

/** The problem of a rule, and the key that has it; undefined: none. */
export function redactRuleProblem(
  rule: RedactRule,
): { readonly key: "path" | "regex" | "flags" | "as"; readonly message: string } | undefined {
  if (!placeholderNamePattern.test(rule.as)) {
    const message = `"${rule.as}" cannot name placeholders. Start with a letter, and use at most 40 letters, digits, spaces, "_", "." and "-".`;
    return { key: "as", message };
  }
  if ("path" in rule) {
    const message = pathProblem(rule.path);
    return message === undefined
      ? undefined
      : { key: "path", message: `"${rule.path}" is not a path: ${message}` };
  }
  return regexProblem(rule.regex, rule.flags ?? "");
}

const knownFlags = "gimsu";

/** The problem of a rule's regular expression; undefined: none. */
export function regexProblem(
  source: string,
  flags: string,
): { readonly key: "regex" | "flags"; readonly message: string } | undefined {
  const wrong = Array.from(flags).find((flag) => !knownFlags.includes(flag));
  if (wrong !== undefined) {
    return {
      key: "flags",
      message: `there is no flag "${wrong}" here. Use "i", "m", "s" or "u".`,
    };
  }
  const message = sourceProblem(source, flags);
  return message === undefined ? undefined : { key: "regex", message };
}

function sourceProblem(source: string, flags: string): string | undefined {
  let regex: RegExp;
  try {
    regex = new RegExp(source, flags);
  } catch (error) {
    return `"${source}" is not a regular expression: ${error instanceof Error ? error.message : String(error)}.`;
  }
  if (regex.test("")) {
    return `"${source}" matches the empty text, and so everywhere. Require at least one character, with "+" instead of "*".`;
  }
  return undefined;
}
