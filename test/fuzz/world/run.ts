import fc from "fast-check";
import { drawn, shrinkingWhile } from "../random.ts";
import { rowsOf, type State, type World, WorldModel } from "./model.ts";
import type { Move } from "./asking.ts";
import { anyMove } from "./moves.ts";
import { wrongStream } from "./stream-moves.ts";
import { quiet, wrongExport, wrongJournal } from "./telling-moves.ts";
import { fixturesOf, WorldReal, type WorldServer } from "./real.ts";

/** The state that each run begins with. */
export const beginning: State = {
  items: new Map([
    [1, { id: 1, name: "k0", n: 1, tag: "x" }],
    [2, { id: 2, name: "k1", n: null, tag: null }],
  ]),
  faults: [],
  scripts: new Map(),
  count: 0,
  isImported: false,
};

/** Each seed has one of them: one with room for some five rows in all, the usual one, and one with the service's tables. */
export const worlds: readonly World[] = [
  { rowsLimit: 800 },
  {},
  { profiles: { tables: "starbasedb" } },
];

/** Which moves are tried. */
export interface WorldRange {
  readonly seed: number;
  /** How fast-check names the one run to repeat, and which of its moves were made. */
  readonly path?: string | undefined;
  readonly replayPath?: string | undefined;
  /** How many moves are made at least. Default: as many as the runs have. */
  readonly steps?: number;
  /** Default: as many as the moves take. */
  readonly runs?: number;
  /** How many a run has at most. */
  readonly longest: number;
  readonly shrinkMs?: number;
  readonly signal?: AbortSignal;
  readonly onRun?: (steps: number) => Promise<string | undefined> | undefined;
}

/** What came of them. */
export interface WorldReport {
  readonly runs: number;
  readonly steps: number;
  readonly slowest: number;
  /** fast-check's report: seed, path, the fewest moves that were found to lead there, and what is wrong. */
  readonly finding: string | undefined;
}

/** A move as fast-check runs it. */
class Command implements fc.AsyncCommand<WorldModel, WorldReal> {
  readonly #move: Move;
  readonly #made: () => void;

  constructor(move: Move, made: () => void) {
    this.#move = move;
    this.#made = made;
  }

  check(): boolean {
    return true;
  }

  async run(model: WorldModel, real: WorldReal): Promise<void> {
    this.#made();
    const problem = (await this.#move.run(model, real)) ?? real.server.failure();
    if (model.isOverfull()) throw new Error("there are more rows than rowsLimit allows");
    if (problem !== undefined) throw new Error(problem);
  }

  toString(): string {
    return this.#move.about;
  }
}

const runsOfSeed = 200;

/** Has a server go through random moves until enough were made, or something is wrong. */
export async function fuzzWorld(server: WorldServer, range: WorldRange): Promise<WorldReport> {
  const { path, replayPath, longest, shrinkMs = 60_000 } = range;
  const { steps: mostSteps = Infinity, runs: mostRuns = Infinity } = range;
  let { seed } = range;
  let finding: string | undefined;
  let [runs, steps, slowest, requests] = [0, 0, 0, 0];
  let shrinkEnd: number | undefined;
  let pristine: State | undefined;
  let world: World = {};
  const move = drawn(anyMove).map(
    (one) => new Command(one, () => void (steps += shrinkEnd === undefined ? 1 : 0)),
  );
  const commands = fc.commands([move], {
    maxCommands: longest,
    size: "max",
    ...(replayPath === undefined ? {} : { replayPath }),
  });
  const property = fc.asyncProperty(commands, async (some) => {
    if (shrinkEnd === undefined && isOver()) return;
    const real = new WorldReal(server, `w${++runs}-`, requests);
    const model = new WorldModel(beginning, world);
    // What was reported meanwhile is another run's.
    server.failure();
    try {
      await begin(real, model, pristine);
      await fc.asyncModelRun(() => ({ model, real }), some);
      const problem = (await wrongEnd(model, real)) ?? (await range.onRun?.(steps));
      if (problem !== undefined) throw new Error(problem);
      ({ pristine } = model);
    } catch (error) {
      // What the server has by now nobody knows.
      pristine = undefined;
      if (!fc.PreconditionFailure.isFailure(error)) shrinkEnd ??= performance.now() + shrinkMs;
      throw error;
    } finally {
      await tidy(real, model);
      requests = real.step;
      slowest = Math.max(slowest, real.slowest);
    }
  });
  const limited = shrinkingWhile(
    property,
    () => shrinkEnd === undefined || performance.now() < shrinkEnd,
  );
  const isOver = (): boolean =>
    range.signal?.aborted === true || steps >= mostSteps || runs >= mostRuns;
  for (; finding === undefined && !isOver(); seed++) {
    [world = {}] = worlds.slice(Math.abs(seed) % worlds.length);
    // What the server has is another world's.
    pristine = undefined;
    const details = await fc.check(limited, {
      seed,
      includeErrorInReport: true,
      ...(path === undefined ? { numRuns: runsOfSeed } : { path, endOnFailure: true, numRuns: 1 }),
    });
    if (details.failed) finding = await fc.asyncDefaultReportMessage(details);
    if (path !== undefined) break;
  }
  return { runs, steps, slowest, finding };
}

/** Brings the server to where each run begins. */
async function begin(
  real: WorldReal,
  { world }: WorldModel,
  pristine: State | undefined,
): Promise<void> {
  if (pristine === beginning) return;
  await real.server.reload(fixturesOf(beginning, world));
  await quiet(real);
  await real.ask({ session: "", method: "POST", path: "/__backlot/reset" });
}

/** What is not as it has to be when all moves are made, although each one was. */
async function wrongEnd(model: WorldModel, real: WorldReal): Promise<string | undefined> {
  for (const { step, answer } of real.streams.splice(0)) {
    const [whole] = await answer.whole();
    model.open.delete(step);
    const wrong = whole === undefined ? "a stream breaks" : wrongStream(whole);
    if (wrong !== undefined) return wrong;
  }
  for (const [id, { state }] of model.sessions) {
    const reply = await real.ask({ session: id, method: "GET", path: "/__backlot/state" });
    if (reply.status !== 200)
      return `the state of ${id} is answered ${reply.status}: ${reply.text.slice(0, 300)}`;
    const wrong =
      wrongExport(JSON.parse(reply.text), state) ?? (await wrongJournal(model, real, id));
    if (wrong !== undefined) return `in session "${id}" of ${rowsOf(state).length} rows ${wrong}`;
  }
  // And the next run begins where this one did.
  await real.ask({ session: "", method: "POST", path: "/__backlot/reset" });
  const { text } = await real.ask({ session: "", method: "GET", path: "/__backlot/state" });
  const kept = wrongExport(JSON.parse(text), model.pristine);
  return kept === undefined ? undefined : `after a reset ${kept}`;
}

/** Leaves nothing behind that another run would meet. */
async function tidy(real: WorldReal, model: WorldModel): Promise<void> {
  const below = (path: string): Promise<unknown> =>
    real.ask({ session: "", method: "DELETE", path: `/__backlot/${path}` });
  for (const { watcher } of real.watchers) watcher.close();
  for (const id of model.sessions.keys())
    if (id !== "") await below(`sessions/${real.prefix}${id}`);
  for (const name of model.snapshots.keys()) await below(`snapshots/${real.prefix}${name}`);
  real.close();
}
