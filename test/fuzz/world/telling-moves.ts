import {
  type Draw,
  type Problem,
  control,
  fullStatus,
  move,
  parsed,
  patienceMs,
  sameRows,
  sessionIds,
} from "./asking.ts";
import { type ModelSession, type State, type WorldModel, rowsOf, emptied } from "./model.ts";
import { type WorldReal } from "./real.ts";

export interface Entry {
  readonly method: string;
  readonly status: number;
  readonly ended: string;
  readonly headers: Readonly<Record<string, string>>;
}

export async function journalOf(
  real: WorldReal,
  session: string,
): Promise<readonly Entry[] | string> {
  const reply = await control(real, { session, method: "GET", path: "/requests" }, [200]);
  if (typeof reply === "string") return reply;
  const requests: unknown = parsed(reply)?.requests;
  return Array.isArray(requests) ? requests : `the journal is ${reply.text.slice(0, 300)}`;
}

/** The entry of a request once it has ended, or begun. Undefined: that did not come in time. */
export async function entryOf(
  real: WorldReal,
  session: string,
  step: string,
  withinMs: number,
  until: "begun" | "ended" = "ended",
): Promise<Entry | undefined> {
  for (const end = performance.now() + withinMs; performance.now() < end;) {
    const entries = await journalOf(real, session);
    if (typeof entries === "string") return undefined;
    const entry = entries.find(({ headers }) => headers["x-step"] === step);
    if (entry !== undefined && (until === "begun" || entry.ended !== "pending")) return entry;
    await pause(2);
  }
  return undefined;
}

/** Waits until all requests of the base session have ended, those of clients that have left. */
export async function quiet(real: WorldReal): Promise<void> {
  for (const end = performance.now() + patienceMs; performance.now() < end; await pause(10)) {
    const entries = await journalOf(real, "");
    if (typeof entries === "string" || entries.every(({ ended }) => ended !== "pending")) return;
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

// What tells of it: exports, the journal and those who watch.

/** The state goes out, says what the model says, and comes in again. */
export const exported: Draw = (random) => {
  const session = random.pick(sessionIds);
  const returns = random.chance(0.5);
  return move({ exported: session, returns }, async (model, real) => {
    const state = model.peek(session);
    const reply = await control(real, { session, method: "GET", path: "/state" }, [200]);
    if (typeof reply === "string") return reply;
    const wrong = wrongExport(parsed(reply), state);
    if (wrong !== undefined || !returns) return wrong;
    // It begins with the call, though there may be no room for the state.
    model.session(session);
    const back = await control(real, { session, method: "PUT", path: "/state", body: reply.text }, [
      204,
      ...fullStatus(model, state.items.size),
    ]);
    if (typeof back === "string") return back;
    if (back.status === 204) model.session(session).state = { ...state, isImported: true };
    return undefined;
  });
};

const scriptsOfFixtures = 2;

/** What is wrong with a state that was exported. */
// oxlint-disable-next-line typescript/no-explicit-any -- exports are judged by what they have
export function wrongExport(document: any, state: State): Problem {
  const rows = sameRows(document?.tables?.items?.rows, rowsOf(state));
  if (rows !== undefined) return `in the export ${rows}`;
  const counts = [
    document.chats?.length,
    document.state?.faults?.length ?? 0,
    document.state?.matches?.counting ?? 0,
  ];
  const wanted = [state.scripts.size + scriptsOfFixtures, state.faults.length, state.count];
  if (counts.join() !== wanted.join())
    return `the export has scripts, faults and matches ${counts.join()} and not ${wanted.join()}`;
  return undefined;
}

/** Every request of a session is in its journal, once, with its status; and those who watch have heard of it. */
export async function wrongJournal(
  model: WorldModel,
  real: WorldReal,
  id: string,
): Promise<Problem> {
  const journal = model.sessions.get(id)?.journal ?? new Map();
  let problem: Problem;
  for (const end = performance.now() + patienceMs; ; await pause(10)) {
    const entries = await journalOf(real, id);
    problem = typeof entries === "string" ? entries : compared(journal, entries, model);
    problem ??=
      real.watchers.find((one) => one.session === id && isBehind(one)) &&
      "a watcher was not told of a request";
    if (problem === undefined || performance.now() > end) return problem;
  }
}

function isBehind({ watcher, owed }: WorldReal["watchers"][number]): boolean {
  if (watcher.isOver) return true;
  if (!watcher.reads) return false;
  for (const step of owed) if (watcher.seen.has(step)) owed.delete(step);
  return owed.size > 0;
}

function compared(
  journal: ModelSession["journal"],
  entries: readonly Entry[],
  { left, open }: Pick<WorldModel, "left" | "open">,
): Problem {
  const found = new Set<string>();
  for (const { method, status, ended, headers } of entries) {
    const step = headers["x-step"] ?? "";
    const asked = journal.get(step);
    if (asked === undefined && left.has(step)) continue;
    if (asked === undefined) return `the journal has request ${step}, which is none of its own`;
    if (found.has(step)) return `the journal has request ${step} twice`;
    if (open.has(step)) continue;
    if (ended === "pending") return `the journal says that request ${step} is under way`;
    found.add(step);
    if (asked.method !== method || (asked.status !== undefined && asked.status !== status))
      return `the journal says ${method} ${status} of a request that was ${asked.method} ${asked.status}`;
  }
  const lost = [...journal].find(([step, { isSure }]) => isSure && !found.has(step));
  return lost && `the journal has lost request ${lost[0]}`;
}

export const tell: Draw = (random) => {
  const session = random.pick(sessionIds);
  const clears = random.chance(0.3);
  return move({ tell: session, clears }, async (model, real) => {
    const wrong = await wrongJournal(model, real, session);
    if (wrong !== undefined || !clears) return wrong;
    const reply = await control(real, { session, method: "DELETE", path: "/requests" }, [204]);
    emptied(model.session(session));
    return typeof reply === "string" ? reply : undefined;
  });
};

export const watch: Draw = (random) => {
  const session = random.pick(sessionIds);
  const reads = random.chance(0.6);
  const stops = random.chance(0.3);
  return move({ watch: session, reads, stops }, async (_, real) => {
    if (stops || real.watchers.length > 5) real.watchers.shift()?.watcher.close();
    else await real.watch(session, reads);
    return undefined;
  });
};
