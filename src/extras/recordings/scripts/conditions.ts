import { compileCriteria } from "../../../core/chat/matching/criteria.ts";
import { isExactGlob } from "../../../core/chat/matching/glob.ts";
import type { TextMatcher, When } from "../../../core/chat/scripts/script.ts";
import { placeholdersIn } from "../../../core/replay/placeholders.ts";
import type { CompiledRules } from "../../../core/replay/recording-rules.ts";
import { canonicalJson } from "../../../core/replay/request-key.ts";
import type { JsonValue } from "../../../core/schema/json.ts";
import type { RecordedChat } from "./recorded-chat.ts";
import { isReadAsWritten } from "../../../core/fixture-set/json/json-copy.ts";

/** Requests that no script can tell apart, in the order in which they were recorded. */
export interface SameChats {
  readonly first: RecordedChat;
  readonly all: readonly RecordedChat[];
}

/** A condition and those of the others that it does not hold for. */
interface Trait {
  readonly when: When;
  readonly excluded: ReadonlySet<SameChats>;
}

/**
 * The conditions that tell a request apart from others: the user's words, and of all else only what is needed. The first that
 * does it alone, or else some that do it together. Where it also holds for others, their scripts have to come first.
 */
export function distinguish(
  same: SameChats,
  others: readonly SameChats[],
  rules: CompiledRules,
): { readonly when: When; readonly alsoHoldsFor: readonly SameChats[] } {
  // The text of the last user message, which each script asks for.
  const [text] = same.first.view.userTexts;
  const user: When = text === undefined ? {} : { user: whole(text, rules) };
  const isSameUser = holdsFor(user);
  const left = others.filter((other) => isSameUser(other.first));
  if (left.length === 0) return { when: user, alsoHoldsFor: [] };
  const useful: Trait[] = [];
  for (const when of traitsOf(same.first, rules)) {
    const holds = holdsFor(when);
    if (!same.all.every(holds)) continue;
    const excluded = new Set(left.filter((other) => !holds(other.first)));
    if (excluded.size === left.length) return { when: { ...user, ...when }, alsoHoldsFor: [] };
    if (excluded.size > 0) useful.push({ when, excluded });
  }
  const chosen = enoughOf(useful);
  const when = chosen.reduce((all, trait) => joinedWhen(all, trait.when), user);
  const alsoHoldsFor = left.filter((other) => chosen.every(({ excluded }) => !excluded.has(other)));
  return { when, alsoHoldsFor };
}

/** Takes each that excludes somebody whom none before does. */
function enoughOf(useful: readonly Trait[]): readonly Trait[] {
  const taken: Trait[] = [];
  const excluded = new Set<SameChats>();
  for (const trait of useful) {
    const isNew = [...trait.excluded].some((other) => !excluded.has(other));
    if (!isNew || taken.some(({ when }) => collide(when, trait.when))) continue;
    taken.push(trait);
    for (const other of trait.excluded) excluded.add(other);
  }
  return taken;
}

/** Whether two conditions have the same place in a `when`. */
function collide(left: When, right: When): boolean {
  return Object.keys(left).some(
    (key) => key !== "header" && key !== "request" && Object.hasOwn(right, key),
  );
}

/** Both conditions as one. */
export function joinedWhen(left: When, right: When): When {
  const joined: Record<string, unknown> = { ...left, ...right };
  for (const key of ["header", "request", "toolResult"] as const) {
    if (left[key] !== undefined) joined[key] = { ...left[key], ...right[key] };
  }
  return joined;
}

/** Whether a condition holds for a request. */
function holdsFor(when: When): (chat: RecordedChat) => boolean {
  const criteria = compileCriteria(when);
  return ({ view }) => criteria.every(({ holds }) => holds(view));
}

/** All else that a script can tell a request by, what reads best first. */
function* traitsOf(chat: RecordedChat, rules: CompiledRules): Generator<When> {
  const { view, headers } = chat;
  const { request, turn, toolResult, systemTexts, allTexts } = view;
  const matcher = (text: string): TextMatcher => whole(text, rules);
  yield { turn };
  if (toolResult !== undefined) {
    const { name, text } = toolResult;
    const named = name === undefined || name === "" ? {} : { name };
    yield { toolResult: named };
    yield { toolResult: { ...named, content: matcher(text) } };
  }
  for (const tool of request.tools) yield { tool };
  for (const text of systemTexts) yield { system: matcher(text) };
  if (request.model !== "" && isExactGlob(request.model)) yield { model: request.model };
  yield { stream: request.stream };
  for (const text of allTexts) yield { anyMessage: matcher(text) };
  for (const [name, value] of Object.entries(headers)) {
    if (value === value.trim() && !hasPlaceholders(value, rules))
      yield { header: { [name]: value } };
  }
  yield* bodyTraits(chat, rules);
}

/** Values of the body: single ones first, those of messages last of them, then lists and objects as a whole. */
function* bodyTraits({ steady }: RecordedChat, rules: CompiledRules): Generator<When> {
  const found = [...valuesIn(steady, "")].filter(
    ({ value }) => isReadAsWritten(value) && !hasPlaceholders(canonicalJson(value), rules),
  );
  const ordered = found
    .map((item) => ({ ...item, rank: rankOf(item) }))
    .toSorted((left, right) => left.rank - right.rank);
  for (const { path, value } of ordered) yield { request: { [path]: value } };
}

interface Placed {
  readonly path: string;
  readonly value: JsonValue;
}

function* valuesIn(value: object, above: string): Generator<Placed> {
  for (const [key, item] of Object.entries(value)) {
    // A path cannot say an empty key at its start.
    if (key === "") continue;
    const path = above + key.replaceAll(/[\\.]/g, "\\$&");
    yield { path, value: item as JsonValue };
    if (typeof item === "object" && item !== null) yield* valuesIn(item, `${path}.`);
  }
}

function rankOf({ path, value }: Placed): number {
  const isSingle = typeof value !== "object" || value === null || Object.keys(value).length === 0;
  // The text of a list or an object that has something has more than two characters.
  if (!isSingle) return canonicalJson(value).length;
  return path.startsWith("messages.") ? 1 : 0;
}

/** Whether something was taken out of a text. */
export function hasPlaceholders(text: string, rules: CompiledRules): boolean {
  return placeholdersIn(text, rules).length > 0;
}

/** A text that is to be the whole one. What was taken out of it may be anything. */
function whole(text: string, rules: CompiledRules): TextMatcher {
  const placeholders = placeholdersIn(text, rules);
  if (placeholders.length === 0) return { equals: text };
  const parts = [undefined, ...placeholders].map((before, index) =>
    escapeRegex(text.slice(before?.end, placeholders[index]?.start)),
  );
  return { regex: `^${parts.join("[^]+?")}$` };
}

/** The source of an expression for a text itself. */
export function escapeRegex(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
