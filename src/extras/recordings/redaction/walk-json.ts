import { readTokens } from "../../../core/schema/json-text.ts";
import { anyStep } from "../../../core/recordings/recording-path.ts";
import type { PlaceRule } from "../../../core/recordings/recording-rules.ts";
import type { Span } from "../replay/rule-matches.ts";

/** A value in a JSON text, or a key. */
export interface JsonPiece extends Span {
  readonly kind: "key" | "string" | "number" | "word" | "array" | "object";
  /** The first rule for this place. */
  readonly rule: PlaceRule | undefined;
  /**
   * The keys and indexes that lead to this value, known after the walk. For an object in an array, its property `index`
   * counts, if it has one.
   */
  readonly names: () => readonly string[];
}

/** An open array or object. */
interface Level {
  readonly kind: "array" | "object";
  readonly start: number;
  readonly holder: Level | undefined;
  /** The key or the index of this array or object in its parent. */
  readonly under: string;
  readonly rule: PlaceRule | undefined;
  /** Whether this value is redacted as a whole, or is inside of one that is. */
  readonly isTaken: boolean;
  /** The index of the current element. */
  index: number;
  key: string;
  /** The value of this object's property `index`. */
  ownIndex?: string;
}

/**
 * Visits the values and keys of a valid JSON text. Whatever is inside of a rule's place is skipped. Arrays and objects
 * are visited at their ends.
 */
export function walkJson(
  text: string,
  rules: readonly PlaceRule[],
  visit: (piece: JsonPiece) => void,
): void {
  let level: Level | undefined;
  /** The keys and indexes from the root to the current level. */
  const path: string[] = [];
  const nextName = (): string => {
    if (level?.kind === "array") level.index += 1;
    return level?.kind === "array" ? String(level.index) : (level?.key ?? "");
  };
  const ruleAt = (name: string): PlaceRule | undefined => {
    const { length } = path;
    const depth = level === undefined ? 0 : length + 1;
    return rules.find(
      ({ steps }) =>
        steps.length === depth &&
        steps.every((step, at) => step === anyStep || step === (at < length ? path[at] : name)),
    );
  };
  readTokens(text, {
    open(kind, start) {
      const under = nextName();
      const rule = ruleAt(under);
      const isTaken = level?.isTaken === true || rule !== undefined;
      if (level !== undefined) path.push(under);
      level = { kind, start, holder: level, under, rule, isTaken, index: -1, key: "" };
    },
    close(end) {
      if (level === undefined) return;
      const { kind, start, holder, rule } = level;
      level = holder;
      path.pop();
      if (rule === undefined || holder?.isTaken === true) return;
      visit({ kind, start, end, rule, names: () => [] });
    },
    key(start, end) {
      if (level === undefined) return;
      level.key = decodedString(text.slice(start, end));
      if (!level.isTaken) visit({ kind: "key", start, end, rule: undefined, names: () => [] });
    },
    value(kind, start, end) {
      const name = nextName();
      if (level?.isTaken === true) return;
      if (kind === "number" && level?.key === "index") level.ownIndex = text.slice(start, end);
      const holder = level;
      visit({ kind, start, end, rule: ruleAt(name), names: () => namesOf(name, holder) });
    },
  });
}

function namesOf(last: string, holder: Level | undefined): readonly string[] {
  const names = [last];
  for (let level = holder; level?.holder !== undefined; level = level.holder) {
    const { holder: outer, under, ownIndex = under } = level;
    names.unshift(outer.kind === "array" ? ownIndex : under);
  }
  return names;
}

/** The text of a JSON string. */
export function decodedString(token: string): string {
  return token.includes("\\") ? String(JSON.parse(token)) : token.slice(1, -1);
}
