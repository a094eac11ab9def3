import type { Entry, UnmetCriterion } from "./misfits.ts";

/** An entry with the reasons why it is not what was looked for. */
export interface Judged {
  readonly entry: Entry;
  readonly misfits: readonly UnmetCriterion[];
}

const mostShown = 5;

/** The entries that came closest, the closest first, one line each; what each of them fails by. */
export function nearMisses(judged: readonly Judged[]): readonly string[] {
  const missed = judged.filter(({ misfits }) => misfits.length > 0);
  const nearest = missed.toSorted((one, other) => distance(one) - distance(other));
  return shortened(
    nearest.map(
      ({ entry, misfits }) =>
        `${lineOf(entry)}: ${misfits.map(({ message }) => message).join("; ")}`,
    ),
  );
}

/** Those that are what was looked for, one line each. */
export function hits(judged: readonly Judged[]): readonly string[] {
  const found = judged.filter(({ misfits }) => misfits.length === 0);
  return shortened(found.map(({ entry }) => lineOf(entry)));
}

function distance({ misfits }: Judged): number {
  return misfits.reduce((sum, { weight }) => sum + weight, 0);
}

function lineOf({ id, method, path, status }: Entry): string {
  return `  #${id} ${method} ${path} → ${status === 0 ? "no answer" : status}`;
}

function shortened(lines: readonly string[]): readonly string[] {
  const rest = lines.length - mostShown;
  return rest > 0 ? [...lines.slice(0, mostShown), `  … and ${rest} more`] : lines;
}
