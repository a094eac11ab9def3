/** What msw does with an unanswered request: let it through, silently or with a warning, or fail it. */
export type UnhandledStrategy = "bypass" | "warn" | "error";

/** A function of msw 2 that gets such a request, and a printer of msw's own messages. */
export type HandleRequest = (
  request: Request,
  print: { readonly warning: () => void; readonly error: () => void },
) => void;

/** A function of msw 3, which gets frames: requests, and messages of other protocols. */
export type HandleFrame = (details: {
  readonly frame: { readonly protocol: string; readonly data: unknown };
  readonly defaults: { readonly warn: () => unknown; readonly error: () => unknown };
}) => void | Promise<void>;

/** What happens to requests that neither the emulator nor another handler answers. */
export interface UnhandledOptions {
  /** Default: `warn`, as in msw. Both msw 2 and msw 3 call a function. */
  readonly onUnhandledRequest?: UnhandledStrategy | HandleRequest | undefined;
  /** The same in msw 3's form. Only msw 3 calls a function. Default: `onUnhandledRequest`. */
  readonly onUnhandledFrame?: UnhandledStrategy | HandleFrame | undefined;
}

interface BothUnhandled {
  readonly onUnhandledRequest: UnhandledStrategy | HandleRequest;
  readonly onUnhandledFrame: UnhandledStrategy | HandleFrame;
}

/** Both options of msw, of which each major knows one. A value for one applies to the other. */
export function bothUnhandled(options: UnhandledOptions): BothUnhandled {
  const { onUnhandledRequest: ofRequests, onUnhandledFrame: ofFrames } = options;
  return {
    onUnhandledRequest: ofRequests ?? (typeof ofFrames === "string" ? ofFrames : "warn"),
    onUnhandledFrame:
      ofFrames ??
      (typeof ofRequests === "function" ? frameHandler(ofRequests) : ofRequests) ??
      "warn",
  };
}

/** Passes requests, and no other frames, to a function that only knows requests. */
function frameHandler(handle: HandleRequest): HandleFrame {
  return ({ frame, defaults }) => {
    const request = requestOf(frame.data);
    if (request === undefined) return;
    handle(request, {
      warning: () => void defaults.warn(),
      error: () => void defaults.error(),
    });
  };
}

function requestOf(data: unknown): Request | undefined {
  if (typeof data !== "object" || data === null || !("request" in data)) return undefined;
  return data.request instanceof Request ? data.request : undefined;
}
