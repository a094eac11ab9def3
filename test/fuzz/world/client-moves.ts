import {
  type Draw,
  type Problem,
  control,
  hangMs,
  move,
  names,
  parsed,
  sameRows,
  service,
  sessionIds,
  statusesOf,
} from "./asking.ts";
import { type Item, isTaken, rowsOf, takeFault, withItem, type WorldModel } from "./model.ts";
import type { Request, WorldReal } from "./real.ts";
import { entryOf } from "./telling-moves.ts";

// Those that are not let in, and those that go.

export const refused: Draw = (random) => {
  const session = random.pick(sessionIds);
  const path = random.pick(["/rest/items", "/v1/chat/completions", "/__backlot/state"]);
  const why = random.pick([
    "no key",
    "wrong key",
    "foreign origin",
    "foreign host",
    "unknown path",
  ] as const);
  return move({ refused: why, path, session }, async (model, real) => {
    const headers = {
      "no key": { authorization: undefined },
      "wrong key": { authorization: "Bearer wrong" },
      "foreign origin": { origin: "https://evil.example" },
      "foreign host": { host: "evil.example" },
      "unknown path": {},
    };
    const isControl = path.startsWith("/__backlot");
    const isChat = path.startsWith("/v1");
    const isForeign = why.startsWith("foreign");
    // The control API asks for no key, and chat takes any but none.
    if ((isControl && !isForeign) || (isChat && why === "wrong key")) return undefined;
    const request = {
      session,
      method: isChat ? "POST" : "GET",
      path: why === "unknown path" ? "/nothing" : path,
      headers: headers[why],
    };
    if (isForeign || isControl) {
      const { status, text } = await real.ask(request);
      return status === 403
        ? undefined
        : `${why}: ${path} is answered ${status} ${text.slice(0, 200)}`;
    }
    const { name, statuses } = refusal(model, why, isChat);
    if (why === "unknown path" || model.sessions.has(session))
      return service(model, real, request, { interface: name, statuses });
    return unknownCaller(model, real, request, { name, statuses });
  });
};

/** Who refuses, and how. */
function refusal({ isService }: WorldModel, why: string, isChat: boolean): Refusal {
  if (why !== "unknown path") return { name: isChat ? "chat" : "tables", statuses: [401] };
  return isService ? { name: "tables", statuses: [400] } : { name: "chat", statuses: [404] };
}

interface Refusal {
  readonly name: "tables" | "chat";
  readonly statuses: readonly number[];
}

/** Who has no key begins no session: what is planned acts as in one that begins now, and stays planned. */
async function unknownCaller(
  model: WorldModel,
  real: WorldReal,
  request: Request,
  { name, statuses }: Refusal,
): Promise<Problem> {
  const { session } = request;
  const wanted = statusesOf(takeFault(model.peek(session), name).kind, statuses);
  // Nothing tells that the request is read, and the next one must not be before.
  const options = wanted.includes(-1) ? { graceMs: 20 * hangMs } : {};
  const { status, text } = await real.ask(request, options);
  if (!wanted.includes(status))
    return `a caller without a key is answered ${status} ${text.slice(0, 200)}`;
  const reply = await control(real, { session: "", method: "GET", path: "/sessions" }, [200]);
  if (typeof reply === "string") return reply;
  const isBegun = reply.text.includes(JSON.stringify(`${real.prefix}${session}`));
  return isBegun ? "a session begins with a caller without a key" : undefined;
}

/** Within this time a request whose client has left is dealt with, or did not arrive. */
const arrivesMs = 400;
/** And mostly within this one. */
const soonMs = 25;

/** A client that goes before its answer: what it asked for may have been done, or not. */
export const leave: Draw = (random) => {
  const session = random.pick(sessionIds);
  const part = random.pick([0.2, 0.6, 0.95, 1]);
  const isWrite = random.chance(0.5);
  const body = isWrite
    ? { name: random.pick(names), n: 1, tag: null }
    : { model: "any", stream: true, messages: [{ role: "user", content: "a b c d e f g h" }] };
  return move({ leave: body, session, part }, async (model, real) => {
    const kind = isWrite ? "tables" : "chat";
    // Whether the fault has acted nobody could tell.
    if (model.peek(session).faults.some((fault) => fault.interface === kind)) return undefined;
    // It begins before, since of half a request nobody knows whether it begins one.
    const now = model.session(session);
    await control(real, { session, method: "DELETE", path: "/chats/nobody" }, [404]);
    const path = isWrite ? "/rest/items" : "/v1/chat/completions";
    const step = await real.leave({ session, method: "POST", path, body }, part);
    model.left.add(step);
    // What is planned next must not act on what was sent before.
    const entry = await entryOf(real, session, step, isWrite && part === 1 ? arrivesMs : soonMs);
    if (!isWrite || part < 1) return undefined;
    const reply = await control(real, { session, method: "GET", path: "/tables/items" }, [200]);
    if (typeof reply === "string") return reply;
    const rows: readonly Item[] = parsed(reply)?.rows ?? parsed(reply);
    const added = rows.find(
      (row) => row.name === (body as Item).name && !isTaken(now.state, row.name),
    );
    if (added !== undefined) {
      now.journal.set(step, { method: "POST", status: undefined, isSure: true });
      now.state = withItem(now.state, added);
    } else if (entry?.status === 201) return `the journal says 201 of a row that is not there`;
    return sameRows(rows, rowsOf(now.state));
  });
};
