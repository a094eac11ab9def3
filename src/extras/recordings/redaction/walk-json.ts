import { readTokens } from "../../../core/schema/json-text.ts";
import { anyStep } from "../../../core/recordings/recording-path.ts";
import type { PlaceRule } from "../../../core/recordings/recording-rules.ts";
import type { Span } from "../replay/rule-matches.ts";

/** A value in a JSON text, or the name of a member. */
export interface JsonPiece extends Span {
  readonly kind: "key" | "string" | "number" | "word" | "array" | "object";
  /** The first rule whose place this is. */
  readonly rule: PlaceRule | undefined;
  /** The names and indexes that lead here, known when the walk is over. An element goes by its own `index`, if it has one. */
  readonly names: () => readonly string[];
}

/** An array or an object that is not at its end. */
interface Level {
  readonly kind: "array" | "object";
  readonly start: number;
  readonly holder: Level | undefined;
  /** What it stands under: a name, or its position. */
  readonly under: string;
  readonly rule: PlaceRule | undefined;
  /** Whether it is, or is in, what is taken out as a whole. */
  readonly isTaken: boolean;
  /** Where the walk is in it: at an element, or at a member. */
  index: number;
  key: string;
  /** The value of its member `index`. */
  ownIndex?: string;
}

/** Tells of the pieces of a valid JSON text, those within a rule's place left out; a container comes when it ends. */
export function walkJson(
  text: string,
  rules: readonly PlaceRule[],
  visit: (piece: JsonPiece) => void,
): void {
  let level: Level | undefined;
  /** The names from the root to the level. */
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

/** What a token of a JSON string stands for. */
export function decodedString(token: string): string {
  return token.includes("\\") ? String(JSON.parse(token)) : token.slice(1, -1);
}
