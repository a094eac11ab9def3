import { isExactGlob } from "../../../core/chat/matching/glob.ts";
import type { TextMatcher, When } from "../../../core/chat/scripts/script.ts";
import { placeholdersIn } from "../replay/placeholders.ts";
import type { CompiledRules } from "../../../core/recordings/recording-rules.ts";
import type { RecordedChat } from "./recorded-chat.ts";

/**
 * The conditions that a script can have: the user's words and, if several requests have the same words, what
 * distinguishes them.
 */
export interface Conditions {
  /** The user's words; undefined if there is no user message. */
  readonly words: string | undefined;
  /** The number of assistant messages so far. */
  readonly turn: number;
  /** The result of a tool in the last message, if there is one. */
  readonly toolResult: { readonly name: string | undefined; readonly text: string } | undefined;
  readonly model: string;
}

export function conditionsOf({ view }: RecordedChat): Conditions {
  const { userTexts, turn, toolResult, request } = view;
  return {
    words: userTexts[0],
    turn,
    toolResult: toolResult && { name: toolResult.name, text: toolResult.text },
    model: request.model,
  };
}

/** The conditions as a `when`, as far as they are needed to distinguish the request from others with the same words. */
export function whenOf(
  own: Conditions,
  sameWords: readonly Conditions[],
  rules: CompiledRules,
): When {
  const { words, turn, toolResult, model } = own;
  const differ = (part: (conditions: Conditions) => unknown): boolean =>
    sameWords.some((other) => part(other) !== part(own));
  return {
    ...(words === undefined ? {} : { user: whole(words, rules) }),
    ...(differ((one) => one.turn) ? { turn } : {}),
    ...(toolResult !== undefined && differ((one) => one.toolResult?.text)
      ? { toolResult: whenResult(toolResult, rules) }
      : {}),
    ...(isExactGlob(model) && differ((one) => one.model) ? { model } : {}),
  };
}

function whenResult(
  { name, text }: NonNullable<Conditions["toolResult"]>,
  rules: CompiledRules,
): NonNullable<When["toolResult"]> {
  const content = whole(text, rules);
  return name === undefined || name === "" ? { content } : { name, content };
}

/** Matches a whole text. Where it was redacted, anything matches. */
function whole(text: string, rules: CompiledRules): TextMatcher {
  const placeholders = placeholdersIn(text, rules);
  if (placeholders.length === 0) return { equals: text };
  const parts = [undefined, ...placeholders].map((before, index) =>
    escapeRegex(text.slice(before?.end, placeholders[index]?.start)),
  );
  return { regex: `^${parts.join("[^]+?")}$` };
}

/** A regular expression that matches exactly this text. */
export function escapeRegex(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
