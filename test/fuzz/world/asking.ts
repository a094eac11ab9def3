import fc from "fast-check";
import { type Random } from "../random.ts";
import { type AskOptions, type Reply } from "./client.ts";
import {
  type FaultKind,
  type Item,
  type ModelSession,
  type PlannedFault,
  type State,
  type WorldModel,
  takeFault,
} from "./model.ts";
import { type Request, type WorldReal } from "./real.ts";

/** What is wrong; undefined: nothing. */
export type Problem = string | undefined;

/** One thing that happens to the server. */
export interface Move {
  /** What it is, as a found case shows it. */
  readonly about: string;
  readonly run: (model: WorldModel, real: WorldReal) => Promise<Problem>;
}

export type Draw = (random: Random) => Move;

export const sessionIds = ["", "", "a", "b"] as const;
export const names = ["k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7"] as const;
export const snapshotNames = ["s", "t"] as const;

/** So long a client waits for an answer that a fault keeps back. */
export const hangMs = 10;
/** So long a busy machine may take for what comes at once. */
export const patienceMs = 20_000;
/** Whoever closes its side later than this after its request counts as gone. */
const closesWithinMs = 2;
/** So deep is what no call stack takes. */
const depth = 9_000;

export function move(about: object, run: Move["run"]): Move {
  return { about: JSON.stringify(about), run };
}

/** What a request is expected to come to. */
interface Expected {
  readonly interface: "tables" | "chat";
  /** The statuses that it may have, where no fault acts. */
  readonly statuses: readonly number[];
  /** What is wrong with an answer that has one of them. */
  readonly check?: (reply: Reply) => Problem;
  /** What has changed with it. */
  readonly after?: (state: State, reply: Reply) => State | string;
}

/** Asks the service, and holds answer, journal and watchers to what the model knows. */
export async function service(
  model: WorldModel,
  real: WorldReal,
  { session: id, ...request }: Request,
  expected: Expected,
  options: AskOptions = {},
): Promise<Problem> {
  const session = model.session(id);
  const { kind, state } = takeFault(session.state, expected.interface);
  const reply = await reach(real, { session: id, ...request }, kind, options);
  session.state = state;
  if (kind === "hang" && !(await hasActed(real, id, state.faults))) return "no fault has acted";
  const { method } = request;
  const status = Math.max(0, reply.status);
  noteAsked(session, real, { id, step: reply.step, method, status });
  const full = fullStatus(model, method === "GET" || expected.interface === "chat" ? 0 : 1);
  const wanted = statusesOf(kind, [...expected.statuses, ...full]);
  if (!wanted.includes(reply.status))
    return `${method} ${request.path} is answered ${reply.status} and not ${wanted.join(" or ")}: ${reply.text.slice(0, 300)}`;
  const isDone = (kind === undefined || kind === "delay") && reply.status !== 507;
  const problem = isDone ? follow(session, expected, reply) : undefined;
  return problem && `${method} ${request.path}: ${problem}`;
}

/** Has the server read a request. */
async function reach(
  real: WorldReal,
  request: Request,
  kind: FaultKind | undefined,
  options: AskOptions,
): Promise<Reply & { readonly step: string }> {
  const reply = await real.ask(request, kind === "hang" ? { graceMs: hangMs } : options);
  // Whether it was done nobody can tell.
  fc.pre(reply.status !== 0 || kind === "reset" || (reply.closedAfterMs ?? 0) <= closesWithinMs);
  return reply;
}

/** Has the model follow what was done. What is wrong with the answer, if anything. */
function follow(session: ModelSession, { check, after }: Expected, reply: Reply): Problem {
  const wrong = check?.(reply);
  if (wrong !== undefined) return wrong;
  const next = after?.(session.state, reply) ?? session.state;
  if (typeof next === "string") return next;
  session.state = next;
  return undefined;
}

/** Whether only these are planned still. On a busy machine a client may leave before its request is read. */
async function hasActed(
  real: WorldReal,
  session: string,
  faults: readonly PlannedFault[],
): Promise<boolean> {
  const wanted = faults.map(({ left }) => left).join();
  for (const end = performance.now() + patienceMs; performance.now() < end;) {
    const reply = await control(real, { session, method: "GET", path: "/faults" }, [200]);
    if (typeof reply === "string") return false;
    const planned: readonly PlannedFault[] = parsed(reply)?.faults;
    if (planned.map(({ left }) => left).join() === wanted) return true;
  }
  return false;
}

/** The status of a write that there may be no room for. */
export function fullStatus(model: WorldModel, rows: number): readonly number[] {
  return rows > 0 && model.mayBeFull(rows) ? [507] : [];
}

/** The statuses of a request on which a planned fault acts, or none. */
export function statusesOf(
  kind: FaultKind | undefined,
  otherwise: readonly number[],
): readonly number[] {
  switch (kind) {
    case "refuse":
      return [503];
    case "reset":
      return [0];
    case "hang":
      return [-1];
    default:
      return otherwise;
  }
}

interface Noted {
  readonly id: string;
  readonly step: string;
  readonly method: string;
  readonly status: number | undefined;
}

export function noteAsked(
  session: ModelSession,
  real: WorldReal,
  { id, step, method, status }: Noted,
): void {
  session.journal.set(step, { method, status, isSure: true });
  for (const { session: watched, owed } of real.watchers) if (watched === id) owed.add(step);
}

/** Asks the control API, which no fault acts on and no journal has. */
export async function control(
  real: WorldReal,
  request: Request,
  statuses: readonly number[],
): Promise<Reply | string> {
  const path = `/__backlot${request.path}`;
  const reply = await real.ask({ ...request, path });
  if (statuses.includes(reply.status)) return reply;
  return `${request.method} ${path} is answered ${reply.status} and not ${statuses.join(" or ")}: ${reply.text.slice(0, 300)}`;
}

// Tables.

export type Defect =
  | "none"
  | "no messages"
  | "no name"
  | "wrong type"
  | "unknown column"
  | "deep"
  | "not JSON"
  | "large";

export function rowBody(random: Random): {
  readonly name: string;
  readonly n?: number | null;
  readonly tag?: string;
} {
  return {
    name: random.pick(names),
    ...(random.chance(0.6) ? { n: random.chance(0.1) ? null : random.int(0, 5) } : {}),
    ...(random.chance(0.5) ? { tag: random.pick(["x", "y", "x y"]) } : {}),
  };
}

export function damaged(body: object, what: Defect, { server }: WorldReal): unknown {
  const text = JSON.stringify(body);
  switch (what) {
    case "none":
      return body;
    case "no messages":
      return {};
    case "no name":
      return { ...body, name: null };
    case "wrong type":
      return { ...body, n: "many" };
    case "unknown column":
      return { ...body, nmae: "x" };
    case "not JSON":
      return text.slice(0, -1);
    case "deep":
      return text.replace(/\}$/, `,"tag":${"[".repeat(depth)}${"]".repeat(depth)}}`);
    case "large":
      return { ...body, tag: "x".repeat(server.bodyLimit) };
  }
}

export function stored(reply: Reply): Item | undefined {
  return parsed(reply)?.result?.data;
}

// oxlint-disable-next-line typescript/no-explicit-any -- answers are judged by what they have
export function parsed({ text }: Reply): any {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function sameRow(row: Item | undefined, wanted: Item): Problem {
  const [one, other] = [row, wanted].map(
    (item) => item && JSON.stringify([item.id, item.name, item.n, item.tag]),
  );
  return one === other ? undefined : `the row is ${one} and not ${other}`;
}

export function sameRows(found: readonly Item[] | undefined, wanted: readonly Item[]): Problem {
  const [one, other] = [found, wanted].map((rows) =>
    JSON.stringify(rows?.map(({ id, name, n, tag }) => [id, name, n, tag])),
  );
  return one === other ? undefined : `the rows are ${one} and not ${other}`;
}
