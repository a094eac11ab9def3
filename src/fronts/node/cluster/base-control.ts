import type { Core } from "../../../core/emulator/core.ts";
import type { Exchange } from "../../../core/emulator/exchange.ts";
import type { Call } from "../../../core/http/call.ts";
import type { Answers, CallOf } from "./answers.ts";
import type { BaseHome } from "./base-home.ts";
import { joinLive } from "./join-live.ts";
import { joinChats, joinRequests, joinSessions } from "./join-lists.ts";
import type { Peer } from "./peer.ts";

/** What the control API of the base session works with when there are several workers. */
export interface BaseControl {
  readonly core: Core;
  readonly home: BaseHome;
  /** All workers but the first, in which this is. */
  readonly others: readonly Peer[];
  /** Whether chat of the base session may have been answered, and noted, in any of them. */
  readonly isJoined: boolean;
}

/** Answers a call to the control API of the base session, in its home: what is in all workers is asked of all. */
export async function answerBaseControl(
  call: Call,
  control: string,
  context: BaseControl,
): Promise<Exchange> {
  const isRead = call.method === "GET" || call.method === "HEAD";
  if (isRead) return read(call, control, context);
  if (control === "/reset") return reset(call, context);
  if (control === "/requests" && context.isJoined) return ownOf(await askAll(call, context));
  return change(call, context);
}

async function read(call: Call, control: string, context: BaseControl): Promise<Exchange> {
  const { core, isJoined } = context;
  if (control === "/sessions") return joinSessions(await askAll(call, context));
  if (!isJoined) return core.handle(call);
  const ask = (one: CallOf): Promise<Answers> => askEach(one, context);
  switch (control) {
    case "/requests":
      return joinRequests(call, ask);
    case "/requests/live":
      return joinLive(call, ask, () => counts(context));
    case "/chats":
      return joinChats(await askAll(call, context));
    default:
      return core.handle(call);
  }
}

/** Back to the fixtures in all workers. What was refused has changed nothing in any. */
async function reset(call: Call, context: BaseControl): Promise<Exchange> {
  const { home } = context;
  // Until all are back, chat is answered where it is known how it should be.
  await home.gather();
  const own = ownOf(await askAll(call, context));
  home.changed();
  if (own.reply.status === 204 && (await isWhole(call))) await home.scatter();
  return own;
}

/** Whether a reset is one of everything. */
async function isWhole(call: Call): Promise<boolean> {
  const body = await call.readBody();
  if (body.kind !== "bytes") return false;
  const text = new TextDecoder().decode(body.bytes).trim();
  return text === "" || !text.includes("scope");
}

/** Whatever may change what chat answers has all of it answered here, from before it is done. */
async function change(call: Call, { core, home }: BaseControl): Promise<Exchange> {
  await home.gather();
  const exchange = await core.handle(call);
  home.changed();
  return exchange;
}

/** The answer of this worker, where those of the others say the same. */
function ownOf({ own, all }: Answers): Exchange {
  for (const exchange of all) {
    if (exchange !== own) exchange.settle({ chunksSent: 0, aborted: false });
  }
  return own;
}

function askAll(call: Call, context: BaseControl): Promise<Answers> {
  return askEach(() => call, context);
}

async function askEach(callOf: CallOf, { core, others }: BaseControl): Promise<Answers> {
  const asked = others.map((peer, place) => peer.ask(callOf(place + 1), "own"));
  const [own, ...answers] = await Promise.all([core.handle(callOf(0)), ...asked]);
  return { own, all: [own, ...answers] };
}

/** How many requests each worker's journal of the base session has had. */
async function counts({ core, others }: BaseControl): Promise<readonly number[]> {
  const asked = others.map((peer) => peer.send({ kind: "tell count" }));
  const told = await Promise.all(asked);
  return [core.sessions.base.journal.count, ...told.map(Number)];
}
