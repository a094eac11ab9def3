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
  type TextStep,
  type TokenCount,
} from "./completion.ts";
import { inventedLogprobs, scriptedLogprobs } from "./logprobs.ts";

/** A choice, rendered and counted. */
export interface RenderedChoice {
  readonly steps: readonly Step[];
  readonly tokens: TokenCount;
  /** Whether the next answer has the same steps, so that derived data is worth caching. */
  readonly isLasting: boolean;
}

/** A choice as far as the request allows it, and why it ends. */
export interface EndedChoice extends Omit<CompletionChoice, "callIds"> {
  readonly tokens: TokenCount;
}

/** Ends a choice where the request's limits say so. */
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
  // Written out: spreading an object takes a microsecond.
  return { steps: said.steps, logprobs: said.logprobs, tokens, finishReason, isLasting };
}

function usualReason(steps: readonly Step[]): string {
  return steps.some((step) => step.kind === "toolCall") ? "tool_calls" : "stop";
}

/** A choice up to the first stop text in its content; undefined if it contains none. */
function cutAtStop(steps: readonly Step[], stops: readonly string[]): readonly Step[] | undefined {
  const content = textIn(steps, "content") ?? "";
  const found = stops.map((text) => content.indexOf(text)).filter((place) => place !== -1);
  const [first] = found.toSorted((left, right) => left - right);
  if (first === undefined) return undefined;
  const stop = graphemeStart(content, first);
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

/** Cuts a choice after a number of tokens. A tool call may end inside its arguments, but not inside its name. */
function cutToLength(
  steps: readonly Step[],
  most: number,
  tokenizer: Tokenizer,
): Pick<EndedChoice, "steps" | "tokens"> & { readonly isCut: boolean } {
  const kept: Step[] = [];
  // The tokenizer sees all text of one kind as one, whatever steps contain it.
  const readers = new Map<TextKind, ReadTokens>();
  const readerOf = (kind: TextKind): ReadTokens => {
    const known = readers.get(kind);
    const read = known ?? tokenReader(tokenizer.start(textIn(steps, kind) ?? "", most + 1));
    readers.set(kind, read);
    return read;
  };
  const spent = { total: 0, reasoning: 0 };
  for (const step of steps) {
    const left = most - spent.total;
    let cut: CutStep = { step, tokens: 0, isCut: false };
    if (step.kind === "toolCall") cut = cutCall(step.call, left, tokenizer);
    else if (isText(step)) cut = cutText(step, left, readerOf(step.kind));
    spent.total += cut.tokens;
    if (step.kind === "reasoning") spent.reasoning += cut.tokens;
    if (cut.step !== undefined) kept.push(cut.step);
    if (cut.isCut) return { steps: ended(kept, steps), tokens: spent, isCut: true };
  }
  return { steps, tokens: spent, isCut: false };
}

interface CutStep {
  /** Undefined when nothing is left. */
  readonly step: Step | undefined;
  readonly tokens: number;
  readonly isCut: boolean;
}

function cutText(step: TextStep, left: number, read: ReadTokens): CutStep {
  const { length, tokens } = read(step.text.length, left);
  if (length === step.text.length) return { step, tokens, isCut: false };
  const text = step.text.slice(0, length);
  return { step: text === "" ? undefined : { ...step, text }, tokens, isCut: true };
}

function cutCall(call: CompletionToolCall, left: number, tokenizer: Tokenizer): CutStep {
  const name = tokenizer.count(call.name);
  if (name > left) return { step: undefined, tokens: 0, isCut: true };
  const { length: whole } = call.arguments;
  const read = tokenReader(tokenizer.start(call.arguments, left - name + 1));
  const { length, tokens } = read(whole, left - name);
  const text = call.arguments.slice(0, length);
  return {
    step: { kind: "toolCall", call: { ...call, arguments: text } },
    tokens: name + tokens,
    isCut: length < whole,
  };
}

/** Reads a number of characters of a text, up to a number of tokens. A token counts where it starts. */
type ReadTokens = (
  characters: number,
  most: number,
) => { readonly length: number; readonly tokens: number };

function tokenReader(parts: readonly TokenPart[]): ReadTokens {
  let next = 0;
  /** Where the next token starts. */
  let start = 0;
  /** How far the text was read. */
  let place = 0;
  return (characters, most) => {
    const end = place + characters;
    let tokens = 0;
    for (; start < end; next++) {
      const part = parts[next];
      if (part === undefined || tokens + part.tokens > most)
        return { length: start - place, tokens };
      tokens += part.tokens;
      start += part.text.length;
    }
    place = end;
    return { length: characters, tokens };
  };
}

/**
 * The final steps of a cut choice. Waits and comments after the last text are dropped, and an emptied content stays
 * as an empty one.
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
