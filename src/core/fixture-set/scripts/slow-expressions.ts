import { expressionsIn } from "../../chat/matching/expressions.ts";
import type { Problem } from "../../errors/emulator-error.ts";
import { showText } from "../../errors/show.ts";
import type { VolatileRule } from "../../recordings/cassette.ts";
import type { JsonPath } from "../../schema/json.ts";
import type { FixtureSet } from "../fixture-set.ts";
import type { Origins } from "../origins.ts";

/** A regular expression of the fixtures, with its owner and its place. */
interface PlacedExpression {
  readonly owner: string;
  readonly source: string;
  readonly flags: string;
  readonly path: JsonPath;
}

type WithExpressions = Pick<FixtureSet, "scripts" | "recording" | "cassettes">;

/**
 * Warns of regular expressions that take exponential time: for some texts, each further character doubles the time.
 * Once started, a match cannot be interrupted.
 */
export async function slowExpressions(
  fixtures: WithExpressions,
  origins: Origins,
): Promise<readonly Problem[]> {
  const doubtful = expressionsOf(fixtures).filter(({ source }) => repeatedGroup.test(source));
  // Most fixtures have no such expression, and then the library is not loaded.
  if (doubtful.length === 0) return [];
  const { analyse } = await import("scslre");
  const isSlow = ({ source, flags }: PlacedExpression): boolean =>
    analyse(new RegExp(source, flags), { reportTypes: { Move: false } }).reports.some(
      ({ exponential }) => exponential,
    );
  return Promise.all(
    doubtful
      .filter(isSlow)
      .map((slow) => origins.locate({ path: slow.path, at: "value", message: messageOf(slow) })),
  );
}

/** Exponential time needs a repeated group. */
const repeatedGroup = /\)[*+{]/;

function messageOf({ owner, source }: PlacedExpression): string {
  return (
    `The ${owner} has the regular expression ${showText(source)}, which can take very long on some texts, and nothing ` +
    `else is answered meanwhile. Write it so that there is one way to match a text: without "+" or "*" around ` +
    `something that repeats itself, as in "(a+)+".`
  );
}

function expressionsOf({
  scripts,
  recording,
  cassettes,
}: WithExpressions): readonly PlacedExpression[] {
  const ofScripts = scripts.flatMap(({ name, when = {} }, index) => {
    const owner = `script ${showText(name)}`;
    return expressionsIn(when).map(({ path, regex, flags = "" }) => {
      return { owner, source: regex, flags, path: ["chats", index, "when", ...path] };
    });
  });
  const ofRules = recording.redact.flatMap((rule, index) => {
    if (!("regex" in rule)) return [];
    const path = ["recording", "redact", index, "regex"];
    return [{ owner: "redaction rule", source: rule.regex, flags: rule.flags ?? "", path }];
  });
  const ofRequests = cassettes.flatMap(({ recordings }, cassette) =>
    recordings.flatMap(({ request: { volatile = [] } }, index) => {
      const path = ["cassettes", cassette, "recordings", index, "request", "volatile"];
      return volatileExpressions(volatile, path);
    }),
  );
  const ofVolatile = volatileExpressions(recording.volatile, ["recording", "volatile"]);
  return [...ofScripts, ...ofRules, ...ofVolatile, ...ofRequests];
}

function volatileExpressions(
  rules: readonly VolatileRule[],
  path: JsonPath,
): readonly PlacedExpression[] {
  return rules.flatMap((rule, index) => {
    if (typeof rule === "string") return [];
    const { regex: source, flags = "" } = rule;
    return [{ owner: "volatile rule", source, flags, path: [...path, index, "regex"] }];
  });
}
