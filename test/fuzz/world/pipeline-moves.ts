import {
  type Draw,
  type Problem,
  control,
  move,
  names,
  parsed,
  patienceMs,
  sameRows,
  sessionIds,
} from "./asking.ts";
import { rowsOf, type WorldModel } from "./model.ts";
import type { WorldReal } from "./real.ts";
import { entryOf, journalOf } from "./telling-moves.ts";

// Clients that send requests before they have answers.

/** So many requests a client sends at once. */
const counts = [2, 20, 99, 101, 400] as const;
/** So many of one connection are under way at most. The others are not read yet, nor is it that a client has left. */
const mostUnderWay = 100;
/** A journal keeps a thousand, and the model knows of all. */
const journalRoom = 900;
const delayMs = 20;

type First = "answered" | "delayed" | "hangs";

/** Many requests on one connection before the first answer has come: each gets its own, in their order. */
export const pipeline: Draw = (random) => {
  const session = random.pick(sessionIds);
  const count = random.pick(counts);
  const drawn = random.pick(["answered", "delayed", "hangs"] as const);
  const first = drawn === "hangs" && count > mostUnderWay ? "delayed" : drawn;
  return move({ pipeline: count, first, session }, async (model, real) => {
    const isPlanned = model.peek(session).faults.some((fault) => fault.interface === "tables");
    if (isPlanned) return undefined;
    const now = model.session(session);
    if (now.journal.size + count > journalRoom) return undefined;
    const planned = await planFor(real, session, first);
    if (planned !== undefined) return planned;
    const requests = Array.from({ length: count }, (_, at) =>
      real.bytesOf({ session, method: "GET", path: `/rest/items?name=${nameAt(at)}` }),
    );
    const steps = requests.map(({ step }) => step);
    const held = real.hold(requests.map(({ bytes }) => bytes));
    const waiting = first === "answered" ? undefined : await wrongWaiting(real, session, steps);
    if (waiting !== undefined) return waiting;
    if (first !== "hangs") return wrongAnswers(model, { session, steps }, await held.whole());
    held.close();
    const [hung = "", ...others] = steps;
    for (const step of others) model.left.add(step);
    now.journal.set(hung, { method: "GET", status: 0, isSure: true });
    if (held.received !== "") return `an answer overtakes one that hangs: ${held.received}`;
    // What is planned next must not act on those that were read.
    const ended = await entryOf(real, session, hung, patienceMs);
    return ended === undefined ? "a request hangs whose client has left" : undefined;
  });
};

async function planFor(real: WorldReal, session: string, first: First): Promise<Problem> {
  if (first === "answered") return undefined;
  const effect = first === "hangs" ? { fault: "hang" } : { delayMs };
  const body = { interface: "tables", times: 1, ...effect };
  const reply = await control(real, { session, method: "POST", path: "/faults", body }, [201]);
  return typeof reply === "string" ? reply : undefined;
}

/** The first of them is under way, and not too many others are. */
async function wrongWaiting(
  real: WorldReal,
  session: string,
  steps: readonly string[],
): Promise<Problem> {
  const begun = await entryOf(real, session, steps[0] ?? "", patienceMs, "begun");
  if (begun === undefined) return "the first of a pipeline is not in the journal";
  const entries = await journalOf(real, session);
  if (typeof entries === "string") return entries;
  const asked = new Set(steps);
  const underWay = entries.filter(
    ({ headers, ended }) => ended === "pending" && asked.has(headers["x-step"] ?? ""),
  );
  return underWay.length > mostUnderWay
    ? `${underWay.length} requests of one connection are under way`
    : undefined;
}

function wrongAnswers(
  model: WorldModel,
  { session, steps }: { readonly session: string; readonly steps: readonly string[] },
  answers: readonly { readonly status: number; readonly text: string }[],
): Problem {
  if (answers.length !== steps.length)
    return `${answers.length} of ${steps.length} pipelined requests are answered`;
  const { state, journal } = model.session(session);
  for (const [at, { status, text }] of answers.entries()) {
    journal.set(steps[at] ?? "", { method: "GET", status: 200, isSure: true });
    const wanted = rowsOf(state).filter(({ name }) => name === nameAt(at));
    const wrong =
      status === 200
        ? sameRows(parsed({ status, text, ms: 0 })?.result, wanted)
        : `it is answered ${status} ${text.slice(0, 200)}`;
    if (wrong !== undefined) return `of ${answers.length} pipelined, number ${at}: ${wrong}`;
  }
  return undefined;
}

function nameAt(at: number): string {
  return names[at % names.length] ?? "";
}
