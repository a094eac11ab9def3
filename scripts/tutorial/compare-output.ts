/** `…` alone on a line stands for any lines, or none; within a line for any text. */
const anything = "…";

/** Where an output is not as the tutorial shows it: its line there, from 0, and what was to be seen instead. */
export interface Difference {
  readonly at: number;
  readonly shown: string;
  readonly printed: string;
}

/** How many lines the shown ones took up, or where they differ. */
export type Comparison = { readonly taken: number } | Difference;

/** Lines as a terminal has them at the end: without trailing blanks, and without empty lines around them. */
export function linesOf(output: string): string[] {
  const lines = output.split("\n").map((line) => line.trimEnd());
  while (lines[0] === "") lines.shift();
  while (lines.at(-1) === "") lines.pop();
  return lines;
}

/** Compares what is printed from its beginning on; more of it may follow. */
export function compareStart(shown: readonly string[], printed: readonly string[]): Comparison {
  let taken = 0;
  for (const { at, lines, floats } of runsOf(shown)) {
    const found = floats ? find(lines, printed, taken) : taken;
    const wrong = lines.findIndex((line, index) => !sameLine(line, printed[found + index]));
    if (wrong !== -1) return difference(at + wrong, lines[wrong], printed.slice(found + wrong));
    taken = found + lines.length;
  }
  return { taken };
}

/** Compares all that is printed. */
export function compareWhole(shown: readonly string[], printed: readonly string[]): Comparison {
  const start = compareStart(shown, printed);
  if ("at" in start || start.taken === printed.length || shown.at(-1) === anything) return start;
  return difference(shown.length, "nothing more", printed.slice(start.taken));
}

function difference(at: number, shown: string | undefined, rest: readonly string[]): Difference {
  return { at, shown: shown ?? "", printed: rest.slice(0, 12).join("\n") };
}

interface Run {
  readonly at: number;
  readonly lines: readonly string[];
  /** Other lines may come before it. */
  readonly floats: boolean;
}

/** What stands between the lines of `…`. */
function runsOf(shown: readonly string[]): Run[] {
  const starts = [-1, ...shown.flatMap((line, at) => (line === anything ? [at] : []))];
  return starts.map((start, index) => ({
    at: start + 1,
    lines: shown.slice(start + 1, starts[index + 1] ?? shown.length),
    floats: start !== -1,
  }));
}

/** The first place that has all lines, else the first that has the first line, else where the search began. */
function find(lines: readonly string[], printed: readonly string[], from: number): number {
  const places = printed.flatMap((_, at) => (at >= from ? [at] : []));
  const whole = places.find((at) => lines.every((line, i) => sameLine(line, printed[at + i])));
  return whole ?? places.find((at) => sameLine(lines[0] ?? "", printed[at])) ?? from;
}

function sameLine(shown: string, printed: string | undefined): boolean {
  if (printed === undefined) return false;
  const parts = shown.split(anything).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`).test(printed);
}
