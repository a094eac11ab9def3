import type { Logprobs, ScriptChoice, TokenLogprob } from "../scripts/script.ts";
import type { Tokenizer } from "../tokens/tokenizer.ts";
import { isText, type Step, textIn } from "./completion.ts";

/** The steps of a choice, with the probabilities of their tokens. */
export interface StepsWithLogprobs {
  readonly steps: readonly Step[];
  readonly logprobs: Logprobs | null;
}

/** The kinds of text whose tokens have probabilities. */
type Kind = keyof Logprobs;

const kinds: readonly Kind[] = ["content", "refusal"];

/** Adds a script's probabilities to the steps of a choice. They end where the text was cut. */
export function scriptedLogprobs(
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
export function inventedLogprobs(
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
  /** How many of the most likely tokens each position lists, the chosen one first. */
  readonly top: number;
}

/** More would make an answer that is refused for its length. */
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

/** Tokens that are likely nearly everywhere: one more than a request can ask for. */
const usual: readonly string[] =
  " the|,|.| and| of| to| a| in| is| that| for| it| as| with| was| on| be| by| not|\n".split("|");

/** Alternative tokens for a position, each half as likely as the one before. */
function others(token: string, left: number, count: number): readonly Entry[] {
  const likely = usual.filter((other) => other !== token).slice(0, count);
  return likely.map((other, index) => entry(other, Math.max(left, 1e-6) / 2 ** (index + 1)));
}
