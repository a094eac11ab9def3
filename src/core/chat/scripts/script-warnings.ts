import { lowerCased } from "../../http/reply.ts";
import { endsWithReplies, mostMatches, typesOfPart } from "../matching/criteria.ts";
import { globCovers } from "../matching/glob.ts";
import { jsonEqual } from "../matching/json-path.ts";
import { textMatchersIn } from "../matching/expressions.ts";
import { compileText } from "../matching/text-matcher.ts";
import { jsonValues, type ValueSort, wholeTexts } from "../matching/value-matcher.ts";
import { KnownMatcher, valueCovers } from "../matching/value-relations.ts";
import type { Script, TextMatcher, ValueMatcher, When } from "./script.ts";

/** A script that can never answer, since an earlier one answers all its requests. */
interface UnreachableScript {
  readonly script: Script;
  readonly index: number;
  readonly earlier: Script;
  readonly earlierIndex: number;
}

/**
 * The scripts that can never answer because an earlier one answers all their requests. There are no false alarms, but a
 * script that is hidden only by several earlier ones together is not found.
 */
export function unreachableScripts(scripts: readonly Script[]): readonly UnreachableScript[] {
  const lasting: { readonly earlier: Script; readonly earlierIndex: number; coversIt: Cover }[] =
    [];
  const found: UnreachableScript[] = [];
  // There are many pairs of scripts, so each script is prepared once, before it is compared with the others.
  for (const [index, script] of scripts.entries()) {
    const conditions = conditionsOf(script.when ?? {});
    const hiding = lasting.find(({ coversIt }) => coversIt(conditions));
    if (hiding !== undefined) {
      const { earlier, earlierIndex } = hiding;
      found.push({ script, index, earlier, earlierIndex });
    }
    // A hidden script is not compared with later ones: the script that hides it hides all that it would hide.
    else if (mostMatches(script) === Infinity && !endsWithReplies(script)) {
      lasting.push({ earlier: script, earlierIndex: index, coversIt: coverOf(conditions) });
    }
  }
  return found;
}

/** Whether every request that fits one `when` fits another. False when in doubt. */
export function covers(wide: When, narrow: When): boolean {
  return coverOf(conditionsOf(wide))(conditionsOf(narrow));
}

/**
 * The conditions of a `when`, prepared to be compared. All objects have the same keys in one order, which engines read
 * fast.
 */
interface Conditions {
  readonly model: string | undefined;
  readonly stream: boolean | undefined;
  readonly turn: number | undefined;
  readonly step: number | undefined;
  readonly tool: string | undefined;
  /** The types of parts that fit. */
  readonly part: readonly string[] | undefined;
  readonly header: Matchers | undefined;
  readonly request: Matchers | undefined;
  readonly toolResult: ToolResult | undefined;
  readonly user: TextMatcher | undefined;
  readonly assistant: TextMatcher | undefined;
  readonly system: TextMatcher | undefined;
  readonly anyMessage: TextMatcher | undefined;
  /** The matchers of all messages. */
  readonly texts: readonly TextMatcher[];
}

type Matchers = Readonly<Record<string, KnownMatcher>>;

interface ToolResult {
  readonly name: string | undefined;
  readonly id: KnownMatcher | undefined;
  readonly content: TextMatcher | undefined;
}

function conditionsOf(when: When): Conditions {
  const { model, stream, turn, step, tool, part, header, request, toolResult } = when;
  const { user, assistant, system, anyMessage } = when;
  return {
    model,
    stream,
    turn,
    // Before the first assistant message, the step is 0 too.
    step: turn === 0 ? 0 : step,
    tool,
    part: part === undefined ? undefined : typesOfPart(part),
    header: header === undefined ? undefined : knownMatchers(lowerCased(header), wholeTexts),
    request: request === undefined ? undefined : knownMatchers(request, jsonValues),
    toolResult: toolResult === undefined ? undefined : knownResult(toolResult),
    user,
    assistant,
    system,
    anyMessage,
    texts: textMatchersIn(when).map(({ matcher }) => matcher),
  };
}

function knownMatchers(
  matchers: Readonly<Record<string, ValueMatcher>>,
  sort: ValueSort,
): Matchers {
  return Object.fromEntries(
    Object.entries(matchers).map(([key, matcher]) => [key, new KnownMatcher(matcher, sort)]),
  );
}

function knownResult({ name, id, content }: NonNullable<When["toolResult"]>): ToolResult {
  return { name, id: id === undefined ? undefined : new KnownMatcher(id, wholeTexts), content };
}

/** Tells whether every request that fits the narrow conditions fits the wide ones. False when in doubt. */
type Cover = (narrow: Conditions) => boolean;

/** Makes the comparison with wide conditions. Only conditions that are given are compared, cheap ones first. */
function coverOf(wide: Conditions): Cover {
  const { model, stream, turn, step, tool, part, header, request, toolResult } = wide;
  const all: Cover[] = [];
  if (stream !== undefined) all.push((narrow) => narrow.stream === stream);
  if (turn !== undefined) all.push((narrow) => narrow.turn === turn);
  if (step !== undefined) all.push((narrow) => narrow.step === step);
  if (tool !== undefined) all.push((narrow) => narrow.tool === tool);
  if (model !== undefined) all.push((narrow) => globCovers(model, narrow.model ?? "*"));
  if (part !== undefined) {
    all.push((narrow) => narrow.part?.every((type) => part.includes(type)) === true);
  }
  if (toolResult !== undefined) all.push(...coversOfToolResult(toolResult));
  if (header !== undefined) all.push(...coversOfValues(header, "header"));
  if (request !== undefined) all.push(...coversOfValues(request, "request"));
  all.push(...coversOfTexts(wide));
  const [only] = all;
  if (only !== undefined && all.length === 1) return only;
  return (narrow) => all.every((coversOne) => coversOne(narrow));
}

function coversOfTexts({ user, assistant, system, anyMessage }: Conditions): readonly Cover[] {
  const all: Cover[] = [];
  if (user !== undefined) all.push(coverOfText(user, (narrow) => narrow.user));
  if (assistant !== undefined) all.push(coverOfText(assistant, (narrow) => narrow.assistant));
  if (system !== undefined) all.push(coverOfText(system, (narrow) => narrow.system));
  if (anyMessage !== undefined) {
    const coversText = textCoverOf(anyMessage);
    all.push((narrow) => narrow.texts.some(coversText));
  }
  return all;
}

function coversOfToolResult({ name, id, content }: ToolResult): Cover[] {
  const all: Cover[] = [(narrow) => narrow.toolResult !== undefined];
  if (name !== undefined) all.push((narrow) => narrow.toolResult?.name === name);
  if (id !== undefined) {
    all.push((narrow) => isCovered(narrow.toolResult?.id, id));
  }
  if (content !== undefined) {
    all.push(coverOfText(content, (narrow) => narrow.toolResult?.content));
  }
  return all;
}

function coversOfValues(wide: Matchers, place: "header" | "request"): Cover[] {
  return Object.entries(wide).map(([key, matcher]): Cover => (narrow) => {
    const values = narrow[place];
    return values !== undefined && Object.hasOwn(values, key) && isCovered(values[key], matcher);
  });
}

function isCovered(narrow: KnownMatcher | undefined, wide: KnownMatcher): boolean {
  return narrow !== undefined && valueCovers(wide, narrow);
}

function coverOfText(
  wide: TextMatcher,
  read: (narrow: Conditions) => TextMatcher | undefined,
): Cover {
  const coversText = textCoverOf(wide);
  return (narrow) => {
    const matcher = read(narrow);
    return matcher !== undefined && coversText(matcher);
  };
}

/** Tells whether a narrow matcher accepts only texts that the wide one accepts. */
type TextCover = (narrow: TextMatcher) => boolean;

function textCoverOf(wide: TextMatcher): TextCover {
  const coversOne = singleTextCoverOf(wide);
  const coversText: TextCover = (narrow) =>
    typeof narrow !== "string" && "anyOf" in narrow
      ? narrow.anyOf.every(coversText)
      : coversOne(narrow);
  return coversText;
}

/** Makes the comparison for narrow matchers without `anyOf`. */
function singleTextCoverOf(wide: TextMatcher): TextCover {
  if (typeof wide !== "string" && "anyOf" in wide) {
    const alternatives = wide.anyOf.map(singleTextCoverOf);
    return (narrow) => alternatives.some((coversOne) => coversOne(narrow));
  }
  const part = partOf(wide);
  if (part !== undefined) {
    return (narrow) => textOf(narrow)?.includes(part) ?? part === "";
  }
  const { holds } = compileText(wide);
  return (narrow) =>
    typeof narrow !== "string" && "equals" in narrow
      ? holds(narrow.equals)
      : jsonEqual(wide, narrow);
}

/** The text that a match must contain. */
function partOf(matcher: TextMatcher): string | undefined {
  if (typeof matcher === "string") return matcher;
  return "contains" in matcher ? matcher.contains : undefined;
}

/** A text that each match contains or equals. */
function textOf(matcher: TextMatcher): string | undefined {
  return typeof matcher !== "string" && "equals" in matcher ? matcher.equals : partOf(matcher);
}
