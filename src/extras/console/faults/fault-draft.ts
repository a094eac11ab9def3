import { type FaultKind, faultKinds } from "../../../core/chat/faults/fault-kinds.ts";
import type { JournalEntry } from "../../../core/emulator/journal/entry.ts";
import type { FaultRule } from "../../../core/fixture-set/format/fault-format.ts";
import { isObject } from "../../../core/schema/json.ts";
import type { EndpointEntry } from "../api/client.ts";

/** What a fault can be limited to. */
export type ScopeKind = "all" | "endpoint" | "table" | "model" | "script" | "conversation";

/** The contents of the form for a fault. Texts are as typed. */
export interface FaultDraft {
  /** What goes wrong: `status`, `delay`, or a kind of fault. */
  readonly effect: "status" | "delay" | FaultKind;
  readonly status: string;
  readonly message: string;
  readonly retryAfterMs: string;
  readonly delayMs: string;
  readonly afterChunks: string;
  readonly scope: ScopeKind;
  /** What the fault is limited to: the value of one of the options. */
  readonly scoped: string;
  readonly times: string;
  readonly every: string;
}

export const firstDraft: FaultDraft = {
  effect: "status",
  status: "503",
  message: "",
  retryAfterMs: "",
  delayMs: "",
  afterChunks: "",
  scope: "all",
  scoped: "",
  times: "1",
  every: "",
};

/**
 * The rule that the form describes. A text that is no number stays as it is, so that the server says what is wrong
 * with it.
 */
export function ruleOf(draft: FaultDraft, scope: FaultRule): object {
  const { effect } = draft;
  const isKind = effect !== "status" && effect !== "delay";
  const hasPlace = isKind && faultKinds[effect].whyNoPlace === undefined;
  return {
    ...scope,
    ...(effect === "status" ? given(draft, ["status", "message", "retryAfterMs"]) : {}),
    ...(isKind ? { fault: effect } : {}),
    ...(hasPlace ? given(draft, ["afterChunks"]) : {}),
    ...given(draft, ["delayMs", "times", "every"]),
  };
}

/** The fields that are not empty. Digits become a number. */
function given(draft: FaultDraft, names: readonly (keyof FaultDraft)[]): object {
  const fields = names.filter((name) => draft[name].trim() !== "");
  return Object.fromEntries(
    fields.map((name) => {
      const text = draft[name].trim();
      return [name, name !== "message" && /^\d+$/.test(text) ? Number(text) : text];
    }),
  );
}

/** A choice of what a fault is limited to: its name, and its part of the rule. */
export interface ScopeOption {
  readonly name: string;
  readonly rule: FaultRule;
}

/** What a fault can be limited to, by kind. */
export type ScopeOptions = Readonly<Record<Exclude<ScopeKind, "all">, readonly ScopeOption[]>>;

/** The rule for requests to an endpoint. Names in braces in its path match anything. */
export function endpointScope({ interface: name, method, path }: EndpointEntry): FaultRule {
  return { interface: name, method, path: path.replace(/\{.*$/, "") };
}

/** The most conversations to choose from, the latest first. */
const mostConversations = 20;

/** The conversations among requests, told apart by the first message of the user, which all later requests repeat. */
export function conversationsIn(entries: readonly JournalEntry[]): readonly ScopeOption[] {
  const found = new Map<string, ScopeOption>();
  for (const entry of entries.toReversed()) {
    const option = conversationOf(entry);
    if (option !== undefined && !found.has(option.name)) found.set(option.name, option);
    if (found.size === mostConversations) break;
  }
  return [...found.values()];
}

function conversationOf({ body }: JournalEntry): ScopeOption | undefined {
  if (!isObject(body)) return undefined;
  const key = ["messages", "input"].find((name) => Object.hasOwn(body, name));
  const items = key === undefined ? undefined : body[key];
  if (key === undefined) return undefined;
  if (typeof items === "string") return conversation(items, key);
  if (!Array.isArray(items)) return undefined;
  const index = items.findIndex((item) => isObject(item) && item["role"] === "user");
  const first: unknown = items[index];
  const content = isObject(first) ? first["content"] : undefined;
  if (typeof content === "string") return conversation(content, `${key}.${index}.content`);
  const part: unknown = Array.isArray(content) ? content.findIndex(isTextPart) : -1;
  if (!Array.isArray(content) || typeof part !== "number" || part === -1) return undefined;
  return conversation(String(content[part].text), `${key}.${index}.content.${part}.text`);
}

function isTextPart(part: unknown): boolean {
  return isObject(part) && typeof part["text"] === "string";
}

function conversation(text: string, path: string): ScopeOption {
  const name = text.length <= 60 ? text : `${text.slice(0, 59)}…`;
  return { name, rule: { when: { request: { [path]: text } } } };
}
