import type { HttpHandler } from "msw";
import { isBrokenConnection } from "../../core/emulator/broken-connection.ts";
import type { Emulator } from "../../core/emulator/emulator.ts";
import { fetchFrom } from "../../core/emulator/fetch.ts";
import { withCancellableBody } from "./cancellable-body.ts";

/** Msw handlers, to be spread into `setupServer` or `setupWorker`. */
export type MswHandlers = readonly HttpHandler[];

/** What is used of msw. It is given, not imported: in bundles of programs that never use it, it may be missing. */
export type Msw = Pick<typeof import("msw"), "http" | "HttpResponse" | "passthrough">;

const pageModes: ReadonlySet<string> = new Set(["navigate", "no-cors"]);

/** Where the handlers run, and the msw there. */
export interface Place {
  readonly msw: Msw;
  /** Breaks off what is being answered, as each request's own signal does. */
  readonly signal?: AbortSignal;
  /** Fits a response for its way through msw. */
  readonly fit?: (response: Response) => Response;
}

/**
 * Handlers that answer for an emulator whatever msw intercepts. One catch-all in front of the emulator's own
 * routing costs less than a handler for each route. What is not the emulator's is left to the handlers after it.
 */
export function mswHandlers(emulator: Pick<Emulator, "core">, place: Place): MswHandlers {
  const { http } = place.msw;
  return [
    // A predicate instead of the path "*": msw decodes what it compares with a path, and throws for `%zz`.
    http.all(
      ({ request }) => isOurs(emulator, request),
      ({ request }) => answer(emulator, request, place),
    ),
  ];
}

/** To msw an exception would be an error to print. A client that has gone sees its own abort, whatever comes. */
async function answer(
  { core }: Pick<Emulator, "core">,
  request: Request,
  { msw, signal, fit = withCancellableBody }: Place,
): Promise<Response> {
  // Of requests that come when the worker is just stopped, msw lets through only some.
  if (signal?.aborted === true) return msw.passthrough();
  // In a service worker's page a request's own tells nothing; where msw replaces fetch it is the caller's.
  const ends = signal && AbortSignal.any([signal, request.signal]);
  const init = ends && { signal: ends };
  try {
    // Only code of this process or page gets to msw, so there is nobody to keep out.
    return fit(await fetchFrom(core, { input: request, init, inProcess: true }));
  } catch (error) {
    if ((ends ?? request.signal).aborted || isBrokenConnection(error))
      return msw.HttpResponse.error();
    throw error;
  }
}

/**
 * A page's own navigations, scripts and images have a destination; only what code fetches has none. In a page msw loses
 * it, but not the mode, which tells all of them except modules.
 */
function isOurs({ core }: Pick<Emulator, "core">, request: Request): boolean {
  const url = new URL(request.url);
  if (core.settings.origins.includes(url.origin)) return true;
  const isOfPage = request.destination !== "" || pageModes.has(request.mode);
  return !isOfPage && core.route(url.pathname).known;
}
