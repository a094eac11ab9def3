import { isExactGlob } from "../../../../core/chat/matching/glob.ts";
import type { TextMatcher, When } from "../../../../core/chat/scripts/script.ts";
import type { JsonValue } from "../../../../core/schema/json.ts";
import { canonicalJson } from "../../../../core/replay/request-key.ts";
import { hasExactNumbers } from "./exact-numbers.ts";
import type { RecordedChat } from "./recorded-chat.ts";

/** What stands in recorded texts for what was taken out: `[<as> <n>]`. */
export type Placeholders = RegExp;

/** What is taken out without a rule, as far as it can stand in a message, too. */
const usualNames = ["key", "authorization", "api-key", "x-api-key", "cookie", "password", "user"];

/** The placeholders that rules of these names leave behind, and those of keys. */
export function placeholdersOf(names: readonly string[]): Placeholders {
  const all = [...usualNames, ...names].map(escapeRegex).join("|");
  return new RegExp(`\\[(?:${all}) \\d+\\]`, "g");
}

/** The text of the last user message, which each script asks for; undefined where there is none. */
export function userTrait({ view }: RecordedChat, placeholders: Placeholders): When | undefined {
  const [text] = view.userTexts;
  return text === undefined ? undefined : { user: whole(text, placeholders) };
}

/** All else that a script can tell a request by, what reads best first. */
export function* traitsOf(chat: RecordedChat, placeholders: Placeholders): Generator<When> {
  const { view, headers } = chat;
  const { request, turn, toolResult, systemTexts, allTexts } = view;
  const matcher = (text: string): TextMatcher => whole(text, placeholders);
  yield { turn };
  if (toolResult.isThere) {
    const { name, texts } = toolResult;
    const named = name === undefined || name === "" ? {} : { name };
    yield { toolResult: named };
    for (const text of texts) yield { toolResult: { ...named, content: matcher(text) } };
  }
  for (const tool of request.tools) yield { tool };
  for (const text of systemTexts) yield { system: matcher(text) };
  if (request.model !== "" && isExactGlob(request.model)) yield { model: request.model };
  yield { stream: request.stream };
  for (const text of allTexts) yield { anyMessage: matcher(text) };
  for (const [name, value] of Object.entries(headers)) {
    if (value === value.trim() && !hasPlaceholders(value, placeholders))
      yield { header: { [name]: value } };
  }
  yield* bodyTraits(chat, placeholders);
}

/** Places whose value a script is held to by its own content. */
const formats = [
  "response_format",
  "response_format.json_schema",
  "response_format.json_schema.schema",
];

/** Values of the body: single ones first, those of messages last of them, then lists and objects as a whole. */
function* bodyTraits({ steady }: RecordedChat, placeholders: Placeholders): Generator<When> {
  const found = [...valuesIn(steady, "")].filter(
    ({ path, value }) =>
      !formats.includes(path) &&
      hasExactNumbers(value) &&
      !hasPlaceholders(canonicalJson(value), placeholders),
  );
  const single = found.filter(({ value }) => isSingle(value));
  const compound = found
    .filter(({ value }) => !isSingle(value))
    .map((item) => ({ ...item, length: canonicalJson(item.value).length }))
    .toSorted((left, right) => left.length - right.length);
  const ordered = [...single.filter((item) => !isOfMessages(item)), ...single.filter(isOfMessages)];
  for (const { path, value } of [...ordered, ...compound]) yield { request: { [path]: value } };
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

function isOfMessages({ path }: Placed): boolean {
  return path.startsWith("messages.");
}

function isSingle(value: JsonValue): boolean {
  return typeof value !== "object" || value === null || Object.keys(value).length === 0;
}

/** Whether something was taken out of a text. */
export function hasPlaceholders(text: string, placeholders: Placeholders): boolean {
  return text.search(placeholders) !== -1;
}

/** A text that is to be the whole one. What was taken out of it may be anything. */
function whole(text: string, placeholders: Placeholders): TextMatcher {
  if (!hasPlaceholders(text, placeholders)) return { equals: text };
  const parts = text.split(placeholders).map(escapeRegex);
  return { regex: `^${parts.join("[^]+?")}$` };
}

function escapeRegex(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
