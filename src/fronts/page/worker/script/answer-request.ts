import {
  isBrokenConnection,
  callFromRequest,
  responseFromExchange,
} from "../../../../core/emulator/fetch.ts";
import type { Core } from "../../../../core/emulator/core.ts";
import { runtimeTimers, wait } from "../../../../core/emulator/environment.ts";
import type { AnsweredExchange } from "../../../../core/emulator/exchange.ts";
import { WaitingClient } from "../../../../core/emulator/waiting-client.ts";
import { withLateBreak } from "../../late-break.ts";
import { readSessionAddress } from "../../../../core/emulator/routes.ts";

/** A request of a page. */
export interface PageRequest {
  readonly request: Request;
  /** Aborts the answer. */
  readonly signal: AbortSignal;
  /** The session of the page, for requests that name none. */
  readonly session: string | undefined;
  /** Below this path, such as `/app/`, the emulator answers too. */
  readonly root: string;
  /** Called when the emulator has answered, and again when the answer is sent. */
  readonly changed: (session: string | undefined) => void;
  readonly settled: () => void;
}

/** Answers a request of one of the worker's pages. Such callers need no guard. */
export async function answerPageRequest(core: Core, asked: PageRequest): Promise<Response> {
  const { request, signal, root, changed, settled } = asked;
  const call = callFromRequest(request, { bodyLimit: core.settings.bodyLimit, signal });
  const path = core.pathBelow(root, call.path);
  const named = readSessionAddress({ headers: call.headers, path }).id;
  const session = named ?? asked.session;
  const own = named === undefined ? asked.session : undefined;
  const given = await core.handle(call, { session: own, root, inProcess: true });
  changed(session);
  const exchange: AnsweredExchange = {
    ...given,
    settle: (outcome) => {
      given.settle(outcome);
      changed(session);
      settled();
    },
  };
  const { waitMs = 0 } = exchange;
  if (waitMs > 0 && !(await wait(waitMs, signal, runtimeTimers))) {
    exchange.settle({ chunksSent: 0, aborted: true });
    return Response.error();
  }
  const client = new WaitingClient(signal);
  const options = { client, isHead: request.method === "HEAD" };
  try {
    return withLateBreak(await responseFromExchange(exchange, signal, options));
  } catch (error) {
    if (signal.aborted || isBrokenConnection(error)) return Response.error();
    throw error;
  }
}
