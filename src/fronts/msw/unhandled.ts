import { isRequest } from "../../core/emulator/own-request.ts";

/** Prints a message of msw. */
type Print = () => void | Promise<void>;

/** What msw does with an unanswered request: let it through, silently or with a warning, or fail it. */
export type UnhandledStrategy = "bypass" | "warn" | "error";

/**
 * A function of msw 2 that receives an unanswered request, and can print msw's own messages. Printing does not stop the
 * request; throwing does.
 */
export type HandleRequest = (
  request: Request,
  print: { readonly warning: Print; readonly error: Print },
) => void | Promise<void>;

/** Like `HandleRequest`, for msw 3. Frames are requests or connections of WebSockets. */
export type HandleFrame = (details: {
  readonly frame: { readonly protocol: string; readonly data: unknown };
  readonly defaults: { readonly warn: Print; readonly error: Print };
}) => void | Promise<void>;

/** What happens to requests that neither the emulator nor another handler answers. */
export interface UnhandledOptions {
  /** Default: `warn`, as in msw. */
  readonly onUnhandledRequest?: UnhandledStrategy | HandleRequest | undefined;
  /** The same for msw 3. Default: `onUnhandledRequest`. */
  readonly onUnhandledFrame?: UnhandledStrategy | HandleFrame | undefined;
}

interface BothUnhandled {
  readonly onUnhandledRequest: UnhandledStrategy | HandleRequest;
  readonly onUnhandledFrame: UnhandledStrategy | HandleFrame;
}

/**
 * Both options of msw. Msw 2 reads only the first and msw 3 only the second, and each lets requests through if its own
 * is missing. A value for one applies to the other.
 */
export function bothUnhandled(options: UnhandledOptions): BothUnhandled {
  const { onUnhandledRequest: ofRequests, onUnhandledFrame: ofFrames } = options;
  return {
    onUnhandledRequest:
      ofRequests ??
      (typeof ofFrames === "function" ? requestHandler(ofFrames) : ofFrames) ??
      "warn",
    onUnhandledFrame:
      ofFrames ??
      (typeof ofRequests === "function" ? frameHandler(ofRequests) : ofRequests) ??
      "warn",
  };
}

/** Adapts a handler of requests to frames. A frame is a request, or a connection that begins with one. */
export function frameHandler(handle: HandleRequest): HandleFrame {
  return ({ frame, defaults }) => {
    const request = requestOf(frame.data);
    // Frames of a kind that this version does not know are let through.
    if (request === undefined) return undefined;
    return handle(request, { warning: defaults.warn, error: defaults.error });
  };
}

/** Adapts a handler of frames to requests. Msw 2 passes a request for a WebSocket, too. */
function requestHandler(handle: HandleFrame): HandleRequest {
  return (request, print) => {
    const protocol = isOfSocket(request) ? "ws" : "http";
    const defaults = { warn: print.warning, error: print.error };
    return handle({ frame: { protocol, data: { request } }, defaults });
  };
}

/** Whether a request stands for the connection of a WebSocket. */
export function isOfSocket({ url }: Pick<Request, "url">): boolean {
  return /^wss?:/.test(url);
}

function requestOf(data: unknown): Request | undefined {
  if (typeof data !== "object" || data === null) return undefined;
  if ("request" in data && isRequest(data.request)) return data.request;
  const address = "connection" in data ? addressOf(data.connection) : undefined;
  return address === undefined ? undefined : new Request(address);
}

/** The address that a WebSocket connects to. */
function addressOf(connection: unknown): string | undefined {
  if (typeof connection !== "object" || connection === null || !("client" in connection)) {
    return undefined;
  }
  const { client } = connection;
  return typeof client === "object" && client !== null && "url" in client
    ? String(client.url)
    : undefined;
}
