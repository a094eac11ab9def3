import { type CompletionToolCall, isText, type Step, textIn, type TextKind } from "./completion.ts";
import type { TokenCount } from "./count-tokens.ts";
import { ended } from "./cut-end.ts";
import type { Tokenizer, TokenPart } from "../tokens/tokenizer.ts";

/** What a choice says with no more than so many tokens. */
export interface CutSteps {
  readonly steps: readonly Step[];
  readonly tokens: TokenCount;
  /** Whether anything was left out. */
  readonly isCut: boolean;
}

/** Cuts what a choice says after so many tokens. A tool call may end inside its arguments, but not inside its name. */
export function cutToLength(steps: readonly Step[], most: number, tokenizer: Tokenizer): CutSteps {
  const kept: Step[] = [];
  const readers = new Map<TextKind, TokenReader>();
  const spent = { total: 0, reasoning: 0 };
  for (const step of steps) {
    const left = most - spent.total;
    const cut = cutStep(step, left, { steps, most, tokenizer, readers });
    spent.total += cut.tokens;
    if (step.kind === "reasoning") spent.reasoning += cut.tokens;
    if (cut.step !== undefined) kept.push(cut.step);
    if (cut.isCut) return { steps: ended(kept, steps), tokens: spent, isCut: true };
  }
  return { steps, tokens: spent, isCut: false };
}

interface Cutting {
  readonly steps: readonly Step[];
  readonly most: number;
  readonly tokenizer: Tokenizer;
  /** Texts of one kind are one text to the tokenizer, whatever steps bring them. */
  readonly readers: Map<TextKind, TokenReader>;
}

interface CutStep {
  /** Undefined when nothing is left of it. */
  readonly step: Step | undefined;
  readonly tokens: number;
  readonly isCut: boolean;
}

function cutStep(step: Step, left: number, cutting: Cutting): CutStep {
  if (step.kind === "toolCall") return cutCall(step.call, left, cutting.tokenizer);
  if (!isText(step)) return { step, tokens: 0, isCut: false };
  const { steps, most, tokenizer, readers } = cutting;
  const reader =
    readers.get(step.kind) ??
    new TokenReader(tokenizer.start(textIn(steps, step.kind) ?? "", most + 1));
  readers.set(step.kind, reader);
  const { length, tokens } = reader.read(step.text.length, left);
  if (length === step.text.length) return { step, tokens, isCut: false };
  const text = step.text.slice(0, length);
  return { step: text === "" ? undefined : { ...step, text }, tokens, isCut: true };
}

function cutCall(call: CompletionToolCall, left: number, tokenizer: Tokenizer): CutStep {
  const name = tokenizer.count(call.name);
  if (name > left) return { step: undefined, tokens: 0, isCut: true };
  const { length: whole } = call.arguments;
  const reader = new TokenReader(tokenizer.start(call.arguments, left - name + 1));
  const { length, tokens } = reader.read(whole, left - name);
  const text = call.arguments.slice(0, length);
  return {
    step: { kind: "toolCall", call: { ...call, arguments: text } },
    tokens: name + tokens,
    isCut: length < whole,
  };
}

/** Goes through the tokens of a text. A token counts where it begins. */
class TokenReader {
  readonly #parts: readonly TokenPart[];
  #next = 0;
  /** Where the next token begins. */
  #start = 0;
  /** How far the text was read. */
  #place = 0;

  constructor(parts: readonly TokenPart[]) {
    this.#parts = parts;
  }

  /** Reads so many characters, as far as so many tokens lead. */
  read(characters: number, most: number): { readonly length: number; readonly tokens: number } {
    const end = this.#place + characters;
    let tokens = 0;
    while (this.#start < end) {
      const part = this.#parts[this.#next];
      if (part === undefined || tokens + part.tokens > most) {
        return { length: this.#start - this.#place, tokens };
      }
      tokens += part.tokens;
      this.#start += part.text.length;
      this.#next++;
    }
    this.#place = end;
    return { length: characters, tokens };
  }
}
