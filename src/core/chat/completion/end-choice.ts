import type { AdmittedRequest } from "../request/admit-request.ts";
import type { ScriptChoice, Logprobs, TokenLogprob } from "../scripts/script.ts";
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

/** A choice, rendered and counted. */
export interface RenderedChoice {
  readonly steps: readonly Step[];
  readonly tokens: TokenCount;
  /** Whether the next answer has the same steps, so that derived data is worth caching. */
  readonly isLasting: boolean;
}

/** A choice, cut where the request's limits end it, and its finish reason. */
export interface EndedChoice extends Omit<CompletionChoice, "callIds" | "isFunctionCall"> {
  readonly tokens: TokenCount;
}

/** Ends a choice where the request's limits say so. */
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
  let said: ReturnType<typeof scriptedLogprobs> = { steps, logprobs: null };
  if (choice.logprobs !== undefined) {
    said = scriptedLogprobs(steps, choice.logprobs, cutBy !== undefined);
  } else if (topLogprobs !== undefined) {
    said = inventedLogprobs(steps, { tokenizer, random, top: topLogprobs });
  }
  const isLasting = rendered.isLasting && said.steps === rendered.steps;
  // Written out: spreading an object takes a microsecond.
  const { extra } = choice;
  return { steps: said.steps, logprobs: said.logprobs, tokens, finishReason, isLasting, extra };
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
  // All texts of one kind are tokenized as one text, since tokens may cross from one step to the next.
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
  /** The step that is left; undefined when all of it is cut away. */
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
  /** The position up to which the text has been read. */
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
 * The final steps of a cut choice: without the waits and comments after its last text or call, and with an empty
 * content if all of its content was cut away.
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

/** The steps of a choice, with the probabilities of their tokens. */
interface StepsWithLogprobs {
  readonly steps: readonly Step[];
  readonly logprobs: Logprobs | null;
}

/** The kinds of text whose tokens have probabilities. */
type Kind = keyof Logprobs;

const kinds: readonly Kind[] = ["content", "refusal"];

/** Adds a script's token probabilities to the steps of a choice, up to where the text was cut. */
function scriptedLogprobs(
  steps: readonly Step[],
  scripted: NonNullable<ScriptChoice["logprobs"]>,
  isCut: boolean,
): StepsWithLogprobs {
  let given = steps;
  const logprobs: { -readonly [K in Kind]: Logprobs[K] } = { content: null, refusal: null };
  for (const kind of kinds) {
    const tokens = scripted[kind] ?? null;
    if (tokens === null) continue;
    const length = textIn(steps, kind)?.length ?? 0;
    const sent = isCut ? tokens.slice(0, firstFrom(tokens, length)) : tokens;
    logprobs[kind] = sent;
    given = divide(given, kind, sent);
  }
  return { steps: given, logprobs };
}

/** The first token that starts at or after a position. */
function firstFrom(tokens: readonly TokenLogprob[], place: number): number {
  let start = 0;
  const first = tokens.findIndex(({ token }) => {
    const isLater = start >= place;
    start += token.length;
    return isLater;
  });
  return first === -1 ? tokens.length : first;
}

/** Each step gets the tokens that start in its text. Tokens beyond the text go to the last step. */
function divide(
  steps: readonly Step[],
  kind: Kind,
  tokens: readonly TokenLogprob[],
): readonly Step[] {
  const last = steps.findLastIndex((step) => step.kind === kind);
  let rest = tokens;
  let place = 0;
  let end = 0;
  return steps.map((step, index) => {
    if (!isText(step) || step.kind !== kind) return step;
    end += step.text.length;
    const count = index === last ? rest.length : firstFrom(rest, end - place);
    const logprobs = rest.slice(0, count);
    for (const { token } of logprobs) place += token.length;
    rest = rest.slice(count);
    return { ...step, logprobs };
  });
}

/** Adds made-up probabilities to the steps of a choice. */
function inventedLogprobs(
  steps: readonly Step[],
  { tokenizer, ...options }: LogprobOptions & { readonly tokenizer: Tokenizer },
): StepsWithLogprobs {
  const all: Record<Kind, TokenLogprob[][]> = { content: [], refusal: [] };
  const given = steps.map((step): Step => {
    if (step.kind !== "content" && step.kind !== "refusal") return step;
    const logprobs = inventLogprobs(tokenizer.split(step.text), options);
    all[step.kind].push([...logprobs]);
    return { ...step, logprobs };
  });
  const listOf = (kind: Kind): readonly TokenLogprob[] | null =>
    all[kind].length === 0 ? null : all[kind].flat();
  const logprobs = { content: listOf("content"), refusal: listOf("refusal") };
  const hasSome = logprobs.content !== null || logprobs.refusal !== null;
  return { steps: given, logprobs: hasSome ? logprobs : null };
}

/** What made-up probabilities depend on besides the tokens. */
interface LogprobOptions {
  readonly random: () => number;
  /** How many likely tokens each position lists. The chosen token is the first of them. */
  readonly top: number;
}

/** The most made-up probabilities in an answer. With more, the answer would be too long to be sent. */
const mostEntries = 400_000;

/** Makes up probabilities of tokens. */
export function inventLogprobs(
  tokens: readonly string[],
  { random, top }: LogprobOptions,
): readonly TokenLogprob[] {
  const most = Math.ceil(mostEntries / (1 + top));
  return tokens.slice(0, most).map((token) => {
    const probability = 1 - random() / 2;
    const taken = entry(token, probability);
    if (top === 0) return { ...taken, top_logprobs: [] };
    return { ...taken, top_logprobs: [taken, ...others(token, 1 - probability, top - 1)] };
  });
}

type Entry = Omit<TokenLogprob, "top_logprobs">;

const encoder = new TextEncoder();

function entry(token: string, probability: number): Entry {
  // Rounded, since the last digits of a logarithm differ between machines.
  const logprob = Math.round(Math.log(probability) * 1e6) / 1e6;
  return { token, logprob: logprob === 0 ? 0 : logprob, bytes: [...encoder.encode(token)] };
}

/**
 * Tokens that are likely nearly everywhere. There is one more than a request can ask for, since the chosen one may be
 * among them.
 */
const usual: readonly string[] =
  " the|,|.| and| of| to| a| in| is| that| for| it| as| with| was| on| be| by| not|\n".split("|");

/** Alternative tokens for a position, each half as likely as the one before. */
function others(token: string, left: number, count: number): readonly Entry[] {
  const likely = usual.filter((other) => other !== token).slice(0, count);
  return likely.map((other, index) => entry(other, Math.max(left, 1e-6) / 2 ** (index + 1)));
}
