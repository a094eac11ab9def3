import type { TokenLogprob } from "../scripts/script.ts";

/** What made-up probabilities depend on besides the tokens. */
export interface LogprobOptions {
  readonly random: () => number;
  /** How many of the likeliest tokens are told at each place; the one that was taken comes first. */
  readonly top: number;
}

/** More would make an answer that is refused for its length. */
const mostEntries = 400_000;

/** Makes up the probabilities of tokens. */
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

/** Tokens that are likely nearly everywhere: one more than can be asked for. */
const usual: readonly string[] =
  " the|,|.| and| of| to| a| in| is| that| for| it| as| with| was| on| be| by| not|\n".split("|");

/** Other tokens for the same place, each half as likely as the one before. */
function others(token: string, left: number, count: number): readonly Entry[] {
  const likely = usual.filter((other) => other !== token).slice(0, count);
  return likely.map((other, index) => entry(other, Math.max(left, 1e-6) / 2 ** (index + 1)));
}
