import type { AdmittedRequest } from "../request/admit-request.ts";
import type { ScriptChoice } from "../scripts/script.ts";
import { graphemeStart } from "../tokens/pieces.ts";
import type { Tokenizer, TokenPart } from "../tokens/tokenizer.ts";
import {
  type CompletionChoice,
  type CompletionToolCall,
  countTokens,
  isText,
  type Step,
  textIn,
  type TextKind,
  type TokenCount,
} from "./completion.ts";
import { inventedLogprobs, scriptedLogprobs } from "./logprobs.ts";

/** What a choice says, rendered and counted. */
export interface RenderedChoice {
  readonly steps: readonly Step[];
  readonly tokens: TokenCount;
  /** Whether these very steps come again with the next answer, so that it is worth keeping what is made of them. */
  readonly isLasting: boolean;
}

/** What a choice says as far as the request lets it, and why it ends. */
export interface EndedChoice extends Omit<CompletionChoice, "callIds"> {
  readonly tokens: TokenCount;
}

/** Ends a choice where the request wants it to end. */
// oxlint-disable-next-line max-params -- chance is apart from what a choice is made of
export function endChoice(
  choice: ScriptChoice,
  rendered: RenderedChoice,
  { options, tokenizer }: Pick<AdmittedRequest, "options" | "tokenizer">,
  random: () => number,
): EndedChoice {
  const { stops, maxTokens, topLogprobs } = options;
  const stopped = stops.length === 0 ? undefined : cutAtStop(rendered.steps, stops);
  let steps = stopped ?? rendered.steps;
  let tokens = stopped === undefined ? rendered.tokens : countTokens(stopped, tokenizer);
  let cutBy = stopped === undefined ? undefined : "stop";
  if (tokens.total > maxTokens) {
    const short = cutToLength(steps, maxTokens, tokenizer);
    ({ steps, tokens } = short);
    if (short.isCut) cutBy = "length";
  }
  const finishReason = cutBy ?? choice.finishReason ?? usualReason(steps);
  const said =
    choice.logprobs !== undefined
      ? scriptedLogprobs(steps, choice.logprobs, cutBy !== undefined)
      : topLogprobs !== undefined
        ? inventedLogprobs(steps, { tokenizer, random, top: topLogprobs })
        : { steps, logprobs: null };
  const isLasting = rendered.isLasting && said.steps === rendered.steps;
  // Written out: to spread an object takes a microsecond.
  return { steps: said.steps, logprobs: said.logprobs, tokens, finishReason, isLasting };
}

function usualReason(steps: readonly Step[]): string {
  return steps.some((step) => step.kind === "toolCall") ? "tool_calls" : "stop";
}

/** What a choice says up to the first of some texts in its content; undefined when it has none of them. */
function cutAtStop(steps: readonly Step[], stops: readonly string[]): readonly Step[] | undefined {
  const content = textIn(steps, "content") ?? "";
  const found = firstOf(stops, content);
  if (found === undefined) return undefined;
  const stop = graphemeStart(content, found);
  const kept: Step[] = [];
  let place = 0;
  for (const step of steps) {
    if (step.kind !== "content") {
      kept.push(step);
      continue;
    }
    const end = place + step.text.length;
    if (stop < end) {
      if (stop > place) kept.push({ ...step, text: step.text.slice(0, stop - place) });
      break;
    }
    kept.push(step);
    place = end;
  }
  return ended(kept, steps);
}

function firstOf(stops: readonly string[], content: string): number | undefined {
  let first: number | undefined;
  for (const stop of stops) {
    const place = content.indexOf(stop);
    if (place !== -1 && (first === undefined || place < first)) first = place;
  }
  return first;
}

/** What a choice says with no more than so many tokens. */
interface CutSteps {
  readonly steps: readonly Step[];
  readonly tokens: TokenCount;
  /** Whether anything was left out. */
  readonly isCut: boolean;
}

/** Cuts what a choice says after so many tokens. A tool call may end inside its arguments, but not inside its name. */
function cutToLength(steps: readonly Step[], most: number, tokenizer: Tokenizer): CutSteps {
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

/**
 * The steps of a choice that was cut, as they end. What is silent after the last word does not happen, and a content
 * of which nothing is left is an empty one.
 */
function ended(kept: readonly Step[], whole: readonly Step[]): readonly Step[] {
  const last = kept.findLastIndex((step) => isText(step) || step.kind === "toolCall");
  const steps = kept.slice(0, last + 1);
  if (!hasContent(whole) || hasContent(steps)) return steps;
  return [...steps, { kind: "content", text: "", whole: false }];
}

function hasContent(steps: readonly Step[]): boolean {
  return steps.some((step) => step.kind === "content");
}
