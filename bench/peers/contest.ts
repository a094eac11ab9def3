/** Those who take part have their turns, round after round. Who fails drops out, and the run says why. */
import { median } from "../cpu-time.ts";
import { showFigure } from "../report.ts";

export const bareName = "bare node:http";

/** What one does in a round. */
export interface Turn {
  /** Checked and warmed up once, before the first round. */
  readonly prepare?: () => Promise<void>;
  /** Gives the figure of a round. */
  readonly take: () => Promise<number>;
}

export class Contest {
  readonly #columns: readonly string[];
  readonly #problems = new Map<string, string>();

  constructor(columns: readonly string[]) {
    this.#columns = columns;
  }

  get problems(): readonly string[] {
    return [...this.#problems].map(([name, problem]) => `– ${name}: ${problem}`);
  }

  /** What somebody's work gives; undefined where it failed. Without the bare server nothing can be compared. */
  async attempt<Result>(name: string, work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await work();
    } catch (error) {
      if (name === bareName) throw error;
      const message = error instanceof Error ? error.message : String(error);
      this.#problems.set(name, message.split("\n")[0] ?? "");
      return undefined;
    }
  }

  /** A row of the sheet: the bare server's figure, and by how many times that of each other is larger. */
  async row(
    label: string,
    turns: ReadonlyMap<string, Turn>,
    { rounds, show }: { readonly rounds: number; readonly show: (bare: number) => string },
  ): Promise<readonly string[]> {
    const found = new Map<string, number[]>();
    for (const [name, { prepare }] of turns) {
      const isReady = await this.attempt(name, async () => {
        await prepare?.();
        return true;
      });
      if (isReady) found.set(name, []);
    }
    for (let round = 0; round < rounds; round++) {
      for (const [name, figures] of found) {
        const figure = await this.attempt(name, async () => turns.get(name)?.take());
        if (figure === undefined) found.delete(name);
        else figures.push(figure);
      }
    }
    const bare = found.get(bareName) ?? [];
    const times = (name: string): number =>
      median(found.get(name)?.map((figure, round) => figure / (bare[round] ?? NaN)) ?? []);
    return [label, show(median(bare)), ...this.#columns.map((name) => showFigure(times(name)))];
  }
}
