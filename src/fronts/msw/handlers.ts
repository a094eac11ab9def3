// Imported as a namespace: an older msw lacks some of these names, and is to be refused by our own message, not by a
// failing import.
import * as msw from "msw";
import { isBrokenConnection, fetchFrom } from "../../core/emulator/fetch.ts";
import type { Emulator } from "../../core/emulator/emulator.ts";
import { clientSignal } from "./client-signal.ts";
import { withCancellableBody } from "./cancellable-body.ts";

const pageModes: ReadonlySet<string> = new Set(["navigate", "no-cors"]);

/** Where handlers run. */
export interface HandlerOptions {
  /** Aborts all answers, in addition to each request's own signal. */
  readonly signal?: AbortSignal;
  /** Below this address, such as `http://localhost/app/`, the emulator's paths are answered too. */
  readonly scope?: URL | undefined;
  /** Adapts a response for its way through msw. */
  readonly fit?: (response: Response) => Response;
}

/**
 * Handlers that answer for an emulator whatever msw intercepts. One catch-all in front of the emulator's own routing
 * costs less than a handler per route. Requests to other services are left to later handlers.
 */
export function handlersIn(
  options: HandlerOptions,
  emulator: Pick<Emulator, "core">,
): readonly msw.HttpHandler[] {
  return [
    // A predicate, since msw decodes paths to compare them with "*", and throws for `%zz`.
    msw.http.all(
      ({ request }) => isOurs(emulator, request, options),
      ({ request }) => answer(emulator, request, options),
    ),
  ];
}

/** Msw prints exceptions as errors, so an abort is not thrown: the client sees its own abort anyway. */
async function answer(
  { core }: Pick<Emulator, "core">,
  request: Request,
  { signal, scope, fit = withCancellableBody }: HandlerOptions,
): Promise<Response> {
  // While a worker stops, msw still lets some requests through.
  if (signal?.aborted === true) return msw.passthrough();
  // In a service worker's page the request's own signal never fires.
  const ends = signal ? AbortSignal.any([signal, request.signal]) : clientSignal(request);
  const init = ends && { signal: ends };
  try {
    // Only code of this process or page reaches msw, so there is nobody to keep out.
    const source = { inProcess: true, root: rootFor(request, scope) };
    return fit(await fetchFrom(core, source)(request, init));
  } catch (error) {
    if ((ends ?? request.signal).aborted || isBrokenConnection(error))
      return msw.HttpResponse.error();
    throw error;
  }
}

/**
 * A page's own navigations, scripts and images have a destination; fetches of code have none. In a page msw loses it,
 * but not the mode, which identifies all of them except modules. Requests of happy-dom have neither.
 */
function isOurs(
  { core }: Pick<Emulator, "core">,
  request: Request,
  { scope }: HandlerOptions,
): boolean {
  const url = new URL(request.url);
  if (core.settings.origins.includes(url.origin)) return true;
  const isOfPage = Boolean(request.destination) || pageModes.has(request.mode);
  const path = core.pathBelow(rootFor(request, scope), url.pathname);
  return !isOfPage && core.route(path).known;
}

/** The path of the scope, for requests below it. */
function rootFor({ url }: Request, scope: URL | undefined): string {
  return scope !== undefined && url.startsWith(scope.href) ? scope.pathname : "/";
}
