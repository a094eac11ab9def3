import type { BacklotProcess } from "./backlot-process.ts";
import { countReply } from "./fixtures.ts";
import type { SessionState, Visitor } from "./visitor.ts";
import { homesOf, inCrowds } from "./visits.ts";

/** What a run showed. */
export interface Verdict {
  /** Sessions of the process that was killed: all of them were begun anew. */
  readonly killed: number;
  readonly begunAnew: number;
  /** Rows and answers that clients had been told of, and that went with the process. */
  readonly lostWithIt: number;
  /** Sessions of the other processes. */
  readonly others: number;
  /** What is missing in them. */
  readonly lostElsewhere: readonly string[];
  /** What else is wrong. */
  readonly surprises: readonly string[];
  readonly retries: number;
  /** From the kill until the process listened again. */
  readonly awayMs: number;
}

interface Evidence {
  readonly visitors: readonly Visitor[];
  readonly processes: readonly BacklotProcess[];
  /** Where each session was before the kill. */
  readonly homes: ReadonlyMap<string, readonly number[]>;
  readonly victim: number;
  readonly killedAt: number;
  readonly awayMs: number;
}

/** Compares what is in each session with what its client was told. */
export async function judge(evidence: Evidence): Promise<Verdict> {
  const { visitors, processes, homes, victim, killedAt, awayMs } = evidence;
  const states = new Map<Visitor, SessionState>();
  await inCrowds(visitors, async (visitor) => void states.set(visitor, await visitor.look()));
  const after = await homesOf(processes);
  const lostElsewhere: string[] = [];
  const surprises: string[] = [];
  let begunAnew = 0;
  let lostWithIt = 0;
  for (const [visitor, state] of states) {
    const [home, ...more] = homes.get(visitor.id) ?? [];
    const places = after.get(visitor.id) ?? [];
    if (home === undefined || more.length > 0 || places.length !== 1 || places[0] !== home) {
      surprises.push(`${visitor.id} was in ${home}, ${more.join()} and is in ${places.join()}`);
    }
    if (home !== victim) {
      lostElsewhere.push(...missing(visitor, state));
      continue;
    }
    if (state.beganAt >= killedAt) begunAnew++;
    surprises.push(...inconsistent(visitor, state));
    lostWithIt +=
      visitor.notes.length + visitor.replies.length - (state.notes.length - 1) - state.chats;
  }
  const killed = [...homes.values()].filter(([home]) => home === victim).length;
  const retries = visitors.reduce((sum, visitor) => sum + visitor.retries, 0);
  const others = visitors.length - killed;
  return { killed, begunAnew, lostWithIt, others, lostElsewhere, surprises, retries, awayMs };
}

/** What a session lacks that its client was told of. */
function missing(visitor: Visitor, state: SessionState): readonly string[] {
  const { id, notes, replies, retries } = visitor;
  const wanted = JSON.stringify(["of the fixtures", ...notes]);
  const said = replies.every((reply, at) => reply === countReply(at + 1));
  return [
    ...(JSON.stringify(state.notes) === wanted ? [] : [`${id}: rows ${state.notes.join(", ")}`]),
    ...(said && state.chats === replies.length ? [] : [`${id}: chat said ${replies.join(", ")}`]),
    ...(state.requests === notes.length + replies.length
      ? []
      : [`${id}: ${state.requests} requests`]),
    ...(retries === 0 ? [] : [`${id}: ${retries} requests without an answer`]),
  ];
}

/** Where a session that was begun anew is not the fixtures and what was done since. */
function inconsistent({ id, notes, replies }: Visitor, state: SessionState): readonly string[] {
  const [first, ...own] = state.notes;
  const isOfFixtures = first === "of the fixtures" && notes.join().endsWith(own.join());
  const goesOn = state.chats === 0 || replies.at(-1) === countReply(state.chats);
  return isOfFixtures && goesOn && state.requests === own.length + state.chats
    ? []
    : [`${id}: rows ${state.notes.join(", ")}; ${state.chats} answers, ${state.requests} requests`];
}
