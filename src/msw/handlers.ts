import { http, type HttpHandler, HttpResponse } from "msw";
import { isBrokenConnection } from "../emulator/broken-connection.ts";
import type { Emulator } from "../emulator/emulator.ts";
import { fetchFrom } from "../emulator/fetch.ts";
import { withCancellableBody } from "./cancellable-body.ts";

/** Msw handlers, to be spread into `setupServer` or `setupWorker`. */
export type MswHandlers = readonly HttpHandler[];

/**
 * Handlers that answer for an emulator whatever msw intercepts. One catch-all in front of the emulator's own
 * routing costs less than a handler for each route. What is not the emulator's is left to the handlers after it.
 */
export function mswHandlers(emulator: Pick<Emulator, "core">): MswHandlers {
  return [
    // A predicate instead of the path "*": msw decodes what it compares with a path, and throws for `%zz`.
    http.all(
      ({ request }) => isOurs(emulator, request),
      ({ request }) => answer(emulator, request),
    ),
  ];
}

/** To msw an exception would be an error to print. A client that has gone sees its own abort, whatever comes. */
async function answer(emulator: Pick<Emulator, "core">, request: Request): Promise<Response> {
  try {
    // Only code of this process or page gets to msw, so there is nobody to keep out.
    return withCancellableBody(await fetchFrom(emulator.core, { input: request, inProcess: true }));
  } catch (error) {
    if (request.signal.aborted || isBrokenConnection(error)) return HttpResponse.error();
    throw error;
  }
}

/** A page's own navigations, scripts and images have a destination; only what code fetches has none. */
function isOurs({ core }: Pick<Emulator, "core">, request: Request): boolean {
  const url = new URL(request.url);
  if (core.settings.origins.includes(url.origin)) return true;
  return request.destination === "" && core.route(url.pathname).known;
}
