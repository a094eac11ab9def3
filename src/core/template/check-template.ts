import { didYouMean } from "../errors/nearest-name.ts";
import type { LiquidTemplate } from "./liquid.ts";
import type { Engine } from "./engine.ts";
import type { FakeValues } from "./fake-values.ts";
import { mayBeUndefined } from "./lenient-place.ts";
import { usableTags } from "./refused-tags.ts";
import { problemOf, type TemplateProblem } from "./template-problem.ts";

/** What is known about the place where a template will be rendered. */
export interface CheckContext {
  /** Given when the template mentions faker. */
  readonly fakeValues: FakeValues | undefined;
  /** The names in scope; undefined when they are not known. */
  readonly variables: readonly string[] | undefined;
  readonly members: Members | undefined;
}

/**
 * What variables have in them, for those of which all is known: names, or what a text or a list has:
 * `{ match: ["city"], user: "text" }`.
 */
export type Members = Readonly<Record<string, readonly string[] | "text" | "list">>;

/** The first thing that is wrong with a template as it is written. */
export function findProblem(
  text: string,
  engine: Engine,
  context: CheckContext,
): TemplateProblem | undefined {
  const { liquid } = engine;
  try {
    const template = engine.parse(text);
    return (
      unknownVariable(template, engine, context) ??
      unknownMember({ template, text }, engine, context) ??
      unknownFakerPath(text, context)
    );
  } catch (error) {
    const filters = Object.keys(liquid.filters);
    return problemOf(error, { filters, tags: usableTags(liquid), scope: {} });
  }
}

function unknownVariable(
  template: LiquidTemplate[],
  { liquid }: Engine,
  { variables }: CheckContext,
): TemplateProblem | undefined {
  if (variables === undefined) return undefined;
  for (const [name, uses] of Object.entries(liquid.analyzeSync(template).globals)) {
    if (variables.includes(name)) continue;
    const { row, col } = uses[0]?.location ?? { row: 1, col: 1 };
    const message = `undefined variable: ${name}.${didYouMean(name, variables)}`;
    return { message, line: row, column: col };
  }
  return undefined;
}

function unknownMember(
  { template, text }: { readonly template: LiquidTemplate[]; readonly text: string },
  { liquid }: Engine,
  { members = {} }: CheckContext,
): TemplateProblem | undefined {
  for (const [variable, uses] of Object.entries(liquid.analyzeSync(template).globals)) {
    const known = Object.hasOwn(members, variable) ? members[variable] : undefined;
    if (known === undefined) continue;
    for (const { segments, location } of uses) {
      const name = segments[1];
      if (name === undefined || typeof name === "object" || isMember(name, known)) continue;
      const place = { line: location.row, column: location.col };
      if (mayBeUndefined(text, place)) continue;
      const hint = didYouMean(String(name), namesIn(known)) || whatThereIs(variable, known);
      return { message: `undefined variable: ${variable}.${name}.${hint}`, ...place };
    }
  }
  return undefined;
}

/** What Liquid itself knows of texts, lists, and objects with names. */
const builtIn = { text: ["size"], list: ["size", "first", "last"], names: ["size"] } as const;

function isMember(name: string | number, known: Members[string]): boolean {
  // Texts and lists have places: `messages[0]`.
  if (typeof known === "string" && /^-?\d+$/.test(String(name))) return true;
  return namesIn(known).includes(String(name));
}

function namesIn(known: Members[string]): readonly string[] {
  return typeof known === "string" ? builtIn[known] : [...known, ...builtIn.names];
}

/** More names than this are not listed. */
const mostListed = 10;

function whatThereIs(variable: string, known: Members[string]): string {
  if (known === "text") return ` "${variable}" is a text: it has "size", and letters by number.`;
  if (known === "list") {
    return ` "${variable}" is a list: it has "size", "first", "last", and items by number, from 0.`;
  }
  if (known.length === 0) return ` There is nothing in "${variable}" here.`;
  const listed = known.slice(0, mostListed).map((name) => `"${name}"`);
  return ` In "${variable}" here: ${listed.join(", ")}${known.length > mostListed ? ", …" : ""}.`;
}

/** A faker path that is written out, as nearly all are. A computed one is checked when it is rendered. */
const literalFakerPath = /(["'])([^"']*)\1\s*\|\s*faker\b/g;

function unknownFakerPath(text: string, { fakeValues }: CheckContext): TemplateProblem | undefined {
  for (const match of text.matchAll(literalFakerPath)) {
    const message = fakeValues?.problem(match[2] ?? "");
    if (message === undefined) continue;
    const before = text.slice(0, match.index);
    const line = before.split("\n").length;
    return { message, line, column: match.index - before.lastIndexOf("\n") };
  }
  return undefined;
}
