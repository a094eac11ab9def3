import { isObject, type JsonObject, type JsonPath } from "../../../core/schema/json.ts";

/** A part of an item as the editor shows it. */
export type ItemPart =
  | { readonly kind: "text" | "refusal"; readonly at: JsonPath; readonly text: string }
  /** The address of a picture: `data:` with its bytes, or elsewhere. */
  | { readonly kind: "picture"; readonly url: string }
  | { readonly kind: "calls" | "other"; readonly value: unknown };

/** The keys that the editor has fields for. */
const ownKeys: readonly string[] = ["role", "content", "output", "tool_call_id", "tool_calls"];

/**
 * The parts of an item, in their order. Texts can be edited. Keys that the editor has no fields for are a part, too, so
 * that nothing is hidden.
 */
export function partsOf(item: JsonObject): readonly ItemPart[] {
  const { refusal, tool_calls: calls } = item;
  const others = Object.entries(item).filter(
    ([name, value]) =>
      !ownKeys.includes(name) && !(name === "refusal" && typeof value === "string"),
  );
  return [
    ...["content", "output"].flatMap((key) => saidParts(item, key)),
    ...(typeof refusal === "string"
      ? [{ kind: "refusal", at: ["refusal"], text: refusal } as const]
      : []),
    ...(calls === undefined ? [] : [{ kind: "calls", value: calls } as const]),
    ...(others.length === 0 ? [] : [{ kind: "other", value: Object.fromEntries(others) } as const]),
  ];
}

function saidParts(item: JsonObject, key: string): readonly ItemPart[] {
  const said = item[key];
  if (typeof said === "string") return [{ kind: "text", at: [key], text: said }];
  if (Array.isArray(said)) return said.map((part, index) => partIn(part, [key, index]));
  if (isObject(said)) return [{ kind: "other", value: { [key]: said } }];
  // A message without a text gets an empty one, so that the user can type it.
  const mayBe = key === "content" && item["role"] !== undefined;
  return mayBe ? [{ kind: "text", at: [key], text: "" }] : [];
}

function partIn(part: unknown, at: JsonPath): ItemPart {
  if (!isObject(part)) return { kind: "other", value: part };
  const { text, refusal, image_url: image } = part;
  const url = isObject(image) ? image["url"] : image;
  if (typeof url === "string") return { kind: "picture", url };
  if (typeof refusal === "string")
    return { kind: "refusal", at: [...at, "refusal"], text: refusal };
  if (typeof text === "string") return { kind: "text", at: [...at, "text"], text };
  return { kind: "other", value: part };
}

/** An item with another text at a place. Everything else stays as it is. */
export function withText(item: JsonObject, at: JsonPath, text: string): JsonObject {
  const [key, ...rest] = at;
  if (key === undefined) return item;
  return { ...item, [key]: replaced(item[String(key)], rest, text) };
}

function replaced(value: unknown, [key, ...rest]: JsonPath, text: string): unknown {
  if (key === undefined) return text;
  if (Array.isArray(value) && typeof key === "number") {
    return value.with(key, replaced(value[key], rest, text));
  }
  return isObject(value) ? { ...value, [key]: replaced(value[key], rest, text) } : value;
}

/** An item in another role. Only the role `tool` has the key `tool_call_id`. */
export function withRole({ tool_call_id: id, ...item }: JsonObject, role: string): JsonObject {
  return role === "tool" ? { ...item, role, tool_call_id: id ?? "" } : { ...item, role };
}

/** The longest text in a value that is shown whole. Longer ones are mostly a file's bytes. */
const longestText = 300;

/**
 * A value as JSON to read. Very long texts, such as a file's bytes, are shortened to their beginning and their length.
 */
export function shownJson(value: unknown): string {
  return JSON.stringify(value, shortened, 2);
}

function shortened(_: string, part: unknown): unknown {
  const isLong = typeof part === "string" && part.length > longestText;
  return isLong ? `${part.slice(0, 60)}… (${part.length} characters)` : part;
}
