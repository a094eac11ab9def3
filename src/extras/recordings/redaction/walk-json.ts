import { readTokens, type JsonTokens } from "../../../core/http/json-text.ts";
import { anyStep } from "../../../core/replay/recording-path.ts";
import type { PlaceRule } from "../../../core/replay/recording-rules.ts";

/** A value in a JSON text, or the name of a member. */
export interface JsonPiece {
  readonly kind: "key" | "string" | "number" | "word" | "array" | "object";
  readonly start: number;
  readonly end: number;
  /** The first rule whose place this is. */
  readonly rule: PlaceRule | undefined;
  /** The names and indexes that lead here, of the value that the text stands for. An element goes by its own `index`, if it has one. */
  readonly steps: (value: unknown) => readonly string[];
}

interface Level {
  readonly kind: "array" | "object";
  readonly start: number;
  readonly rules: readonly Below[];
  readonly rule: PlaceRule | undefined;
  /** Whether it is, or is in, what is taken out as a whole. */
  readonly isTaken: boolean;
  /** What it stands under: a name, or its position. */
  readonly under: string;
  index: number;
  key: string;
}

/** A rule whose first steps lead to where it is. */
interface Below {
  readonly rule: PlaceRule;
  readonly depth: number;
}

/** Tells of the pieces of a valid JSON text, those within a rule's place left out; a container comes when it ends. */
export function walkJson(
  text: string,
  rules: readonly PlaceRule[],
  visit: (piece: JsonPiece) => void,
): void {
  readTokens(text, new JsonWalk(text, rules, visit));
}

class JsonWalk implements JsonTokens {
  readonly #text: string;
  readonly #root: readonly Below[];
  readonly #visit: (piece: JsonPiece) => void;
  readonly #levels: Level[] = [];

  // oxlint-disable-next-line max-params -- made in one place
  constructor(text: string, rules: readonly PlaceRule[], visit: (piece: JsonPiece) => void) {
    this.#text = text;
    this.#root = rules.map((rule) => ({ rule, depth: 0 }));
    this.#visit = visit;
  }

  open(kind: "array" | "object", start: number): void {
    const holder = this.#levels.at(-1);
    const place = this.#nextPlace();
    const rule = ended(place.rules);
    this.#levels.push({
      kind,
      start,
      rules: place.rules,
      rule,
      isTaken: holder?.isTaken === true || rule !== undefined,
      under: place.key,
      index: -1,
      key: "",
    });
  }

  close(end: number): void {
    const level = this.#levels.pop();
    if (level?.rule === undefined || this.#isTaken()) return;
    this.#tell({ kind: level.kind, start: level.start, end }, level.rule);
  }

  key(start: number, end: number): void {
    const level = this.#levels.at(-1);
    if (level === undefined) return;
    level.key = decodedString(this.#text.slice(start, end));
    if (!level.isTaken) this.#tell({ kind: "key", start, end }, undefined);
  }

  // oxlint-disable-next-line max-params -- called for each value
  value(kind: "string" | "number" | "word", start: number, end: number): void {
    const place = this.#nextPlace();
    if (!this.#isTaken()) this.#tell({ kind, start, end }, ended(place.rules), place.key);
  }

  #isTaken(): boolean {
    return this.#levels.at(-1)?.isTaken === true;
  }

  /** Where the value that comes now stands. */
  #nextPlace(): { readonly key: string; readonly rules: readonly Below[] } {
    const holder = this.#levels.at(-1);
    if (holder === undefined) return { key: "", rules: this.#root };
    if (holder.kind === "array") holder.index += 1;
    const key = holder.kind === "array" ? String(holder.index) : holder.key;
    if (holder.rules.length === 0) return { key, rules: holder.rules };
    const rules = holder.rules.flatMap(({ rule, depth }) => {
      const step = rule.steps[depth];
      return step === anyStep || step === key ? [{ rule, depth: depth + 1 }] : [];
    });
    return { key, rules };
  }

  // oxlint-disable-next-line max-params -- called for each value
  #tell(
    { kind, start, end }: Pick<JsonPiece, "kind" | "start" | "end">,
    rule: PlaceRule | undefined,
    under = "",
  ): void {
    const steps = (value: unknown): readonly string[] => [...this.#stepsIn(value), under];
    this.#visit({ kind, start, end, rule, steps });
  }

  #stepsIn(whole: unknown): readonly string[] {
    let value = whole;
    return this.#levels.slice(1).map(({ under }, index) => {
      value = memberOf(value, under);
      return this.#levels[index]?.kind === "array" ? ownIndex(value, under) : under;
    });
  }
}

function ended(rules: readonly Below[]): PlaceRule | undefined {
  return rules.find(({ rule, depth }) => rule.steps.length === depth)?.rule;
}

function memberOf(holder: unknown, key: string): unknown {
  if (typeof holder !== "object" || holder === null || !Object.hasOwn(holder, key))
    return undefined;
  return Reflect.get(holder, key);
}

function ownIndex(value: unknown, position: string): string {
  const index = memberOf(value, "index");
  return typeof index === "number" ? String(index) : position;
}

/** What a token of a JSON string stands for. */
export function decodedString(token: string): string {
  return token.includes("\\") ? String(JSON.parse(token)) : token.slice(1, -1);
}
