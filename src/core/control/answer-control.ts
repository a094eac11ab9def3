import { isEmulatorError } from "../errors/emulator-error.ts";
import type { Call } from "../http/call.ts";
import { isPreflight, preflightReply, withCors } from "../http/cors.ts";
import { andThen, isPromise, type MaybePromise } from "../http/maybe-promise.ts";
import { type Reply, withoutBody } from "../http/reply.ts";
import type { ControlContext } from "./context.ts";
import { refuse } from "./errors.ts";
import { findPlace, findRoute, methodsOf, type Place } from "./find-route.ts";
import { refuseStranger } from "./guard.ts";
import { readQuery } from "./read-query.ts";
import type { ControlRequest, Route } from "./route.ts";
import { routes } from "./routes.ts";

/**
 * Answers a call to the control API. `path` is what the call's path has below `/__backlot`, still percent-encoded.
 * It looks at who calls first, then at path and method, the query, and the body only after that. What is refused
 * changes nothing. Errors of the context that are no mistake of the caller are thrown on.
 */
export function answerControl(
  call: Call,
  path: string,
  context: ControlContext,
): MaybePromise<Reply> {
  // The console is at the prefix itself, with and without a slash behind it.
  const place = findPlace(path === "" ? "/" : path, routes);
  const isOpen = place.routes.some(({ open }) => open === true);
  const cors = context.access.cors && place.routes.some((route) => route.cors === true);
  if (cors && isPreflight(call)) return preflightReply(call, methodsOf(place));
  return andThen(answer(call, path, { place, isOpen, context }), (reply) => {
    const shown = guarded(call.method === "HEAD" ? withoutBody(reply) : reply);
    return cors ? withCors(shown, []) : shown;
  });
}

interface Asked {
  readonly place: Place;
  readonly isOpen: boolean;
  readonly context: ControlContext;
}

function answer(call: Call, path: string, { place, isOpen, context }: Asked): MaybePromise<Reply> {
  const refusal = isOpen ? undefined : refuseStranger(call, context.access);
  if (refusal !== undefined) return refusal;
  const { sessionProblem: message } = context;
  if (message !== undefined) return refuse("invalid_session", { message });
  const found = findRoute(call, path, { place, all: routes });
  if (!found.ok) return found.error;
  const { route, name } = found.value;
  const query = readQuery(call.query, route.query ?? []);
  if (!query.ok) return query.error;
  const asked = { call, name, query: query.value, routes };
  return andThen(answerAt(route, asked, context), (reply) => ({
    answeredBy: `control: ${route.method} ${route.path}`,
    ...reply,
  }));
}

/** Has a route answer, also what the emulator finds wrong with what it is given. */
function answerAt(
  route: Route,
  request: ControlRequest,
  context: ControlContext,
): MaybePromise<Reply> {
  const refuseMistake = (error: unknown): Reply => {
    if (route.mistake === undefined || !isEmulatorError(error)) throw error;
    const { message, problems } = error;
    return refuse(route.mistake, { message, problems });
  };
  try {
    const reply = route.answer(request, context);
    return isPromise(reply) ? reply.catch(refuseMistake) : reply;
  } catch (error) {
    return refuseMistake(error);
  }
}

/** Nobody keeps it, since it is another one the next time, and no page takes it for a script or a picture. */
function guarded(reply: Reply): Reply {
  const headers = { "cache-control": "no-store", "x-content-type-options": "nosniff" };
  return { ...reply, headers: { ...headers, ...reply.headers } };
}
