import * as msw from "msw";
import { frameHandler, type HandleFrame, type HandleRequest, isOfSocket } from "./unhandled.ts";

/** Prints msw's message and fails the request, as if there were no network. */
const refuse: HandleRequest = async (request, print) => {
  await print.error();
  throw isOfSocket(request)
    ? new Error("No handler of msw connects it.")
    : msw.HttpResponse.error();
};

/**
 * Options of msw 2 or 3 that keep every unanswered request on this machine: it fails, and msw prints what it was.
 * Without them it reaches the real service, with its key. Msw 2 reads `onUnhandledRequest`, msw 3 only
 * `onUnhandledFrame`. Msw's own `"error"` lets requests through that look like a page's files, such as `/data.json`; these options do not.
 *
 * @example
 * server.listen(refuseUnhandled);
 */
export const refuseUnhandled: {
  readonly onUnhandledRequest: HandleRequest;
  readonly onUnhandledFrame: HandleFrame;
} = { onUnhandledRequest: refuse, onUnhandledFrame: frameHandler(refuse) };
