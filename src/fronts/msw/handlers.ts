import { http, type HttpHandler, HttpResponse, passthrough } from "msw";
import { isBrokenConnection, fetchFrom } from "../../core/emulator/fetch.ts";
import type { Emulator } from "../../core/emulator/emulator.ts";
import { withCancellableBody } from "./cancellable-body.ts";

const pageModes: ReadonlySet<string> = new Set(["navigate", "no-cors"]);

/** Where handlers run. */
export interface HandlerOptions {
  /** Breaks off what is being answered, as each request's own signal does. */
  readonly signal?: AbortSignal;
  /** Fits a response for its way through msw. */
  readonly fit?: (response: Response) => Response;
}

/**
 * Handlers that answer for an emulator whatever msw intercepts. One catch-all in front of the emulator's own routing
 * costs less than a handler for each route. What is not the emulator's is left to the handlers after it.
 */
export function handlersIn(
  options: HandlerOptions,
  emulator: Pick<Emulator, "core">,
): readonly HttpHandler[] {
  return [
    // A predicate instead of the path "*": msw decodes what it compares with a path, and throws for `%zz`.
    http.all(
      ({ request }) => isOurs(emulator, request),
      ({ request }) => answer(emulator, request, options),
    ),
  ];
}

/** Msw prints an exception as an error. A client that has gone sees its own abort, whatever comes. */
async function answer(
  { core }: Pick<Emulator, "core">,
  request: Request,
  { signal, fit = withCancellableBody }: HandlerOptions,
): Promise<Response> {
  // While a worker stops, msw still lets some requests through.
  if (signal?.aborted === true) return passthrough();
  // In a service worker's page the request's own signal never fires; where msw replaces fetch it is the caller's.
  const ends = signal && AbortSignal.any([signal, request.signal]);
  const init = ends && { signal: ends };
  try {
    // Only code of this process or page gets to msw, so there is nobody to keep out.
    return fit(await fetchFrom(core, { input: request, init, inProcess: true }));
  } catch (error) {
    if ((ends ?? request.signal).aborted || isBrokenConnection(error)) return HttpResponse.error();
    throw error;
  }
}

/**
 * A page's own navigations, scripts and images have a destination; what code fetches has none. In a page msw loses it,
 * but not the mode, which tells all of them except modules.
 */
function isOurs({ core }: Pick<Emulator, "core">, request: Request): boolean {
  const url = new URL(request.url);
  if (core.settings.origins.includes(url.origin)) return true;
  const isOfPage = request.destination !== "" || pageModes.has(request.mode);
  return !isOfPage && core.route(url.pathname).known;
}
