import { isAmbiguous } from "./regex-ambiguity.ts";
import { mostPlaces, regexGraph } from "./regex-graph.ts";
import { readRegex, type RegexTree } from "./regex-tree.ts";

const knownFlags = "gimsu";

/** What is wrong with an expression of a rule; undefined: nothing. */
export function regexProblem(
  source: string,
  flags: string,
): { readonly key: "regex" | "flags"; readonly message: string } | undefined {
  const wrong = Array.from(flags).find((flag) => !knownFlags.includes(flag));
  if (wrong !== undefined) {
    return {
      key: "flags",
      message: `there is no flag "${wrong}" here. Use "i", "m", "s" or "u".`,
    };
  }
  const message = sourceProblem(source, flags);
  return message === undefined ? undefined : { key: "regex", message };
}

function sourceProblem(source: string, flags: string): string | undefined {
  let regex: RegExp;
  try {
    regex = new RegExp(source, flags);
  } catch (error) {
    return `"${source}" is no regular expression: ${error instanceof Error ? error.message : String(error)}.`;
  }
  if (regex.test("")) {
    return `"${source}" matches the empty text, and so at every place. Write what must be there, with "+" instead of "*".`;
  }
  const { main, looks } = readRegex(source);
  const fits = fitsOf(source, flags.replaceAll("g", ""));
  return [main, ...looks]
    .map((tree) => treeProblem(tree, source, fits))
    .find((found) => found !== undefined);
}

// oxlint-disable-next-line max-params -- the tree, and what is said of it
function treeProblem(
  tree: RegexTree,
  source: string,
  fits: (source: string) => bigint,
): string | undefined {
  const graph = regexGraph(tree, fits);
  if (graph === undefined) {
    return `"${source}" is too long: ${mostPlaces} characters and classes at most, with those that a number in braces repeats. Make several rules of it.`;
  }
  if (!isAmbiguous(graph)) return undefined;
  return `"${source}" can take endless time: what it repeats can match the same text in more than one way, as "(a+)+" does. Put something between that ends each time, as in "(a+;)+".`;
}

/** Which characters of a sample a piece of an expression matches: Latin letters, some others, and those that it names. */
function fitsOf(source: string, flags: string): (piece: string) => bigint {
  const latin = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code));
  const sample = [...new Set([...latin, "Ā", "Ж", "一", "\u2028", "😀", ...Array.from(source)])];
  const known = new Map<string, bigint>();
  return (piece) => {
    const before = known.get(piece);
    if (before !== undefined) return before;
    const regex = new RegExp(`^(?:${piece})$`, flags);
    const bits = sample.map((character) => (regex.test(character) ? "1" : "0"));
    const found = BigInt(`0b${bits.join("")}`);
    known.set(piece, found);
    return found;
  };
}
