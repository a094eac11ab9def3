/** What msw does about a request that nobody answers: let it through, silently or with a warning, or fail it. */
export type UnhandledStrategy = "bypass" | "warn" | "error";

/** A function of msw 2 that is told of such a request, and of what prints msw's own messages about it. */
export type HandleRequest = (
  request: Request,
  print: { readonly warning: () => void; readonly error: () => void },
) => void;

/** A function of msw 3, which is told of frames: requests, and messages of other protocols. */
export type HandleFrame = (details: {
  readonly frame: { readonly protocol: string; readonly data: unknown };
  readonly defaults: { readonly warn: () => unknown; readonly error: () => unknown };
}) => void | Promise<void>;

/** What happens to requests that neither the emulator nor another handler answers. */
export interface UnhandledOptions {
  /** Default `warn`, as msw has it. A function is called by msw 2 and by msw 3. */
  readonly onUnhandledRequest?: UnhandledStrategy | HandleRequest | undefined;
  /** The same in the words of msw 3. A function is called by msw 3 only. Default: what `onUnhandledRequest` says. */
  readonly onUnhandledFrame?: UnhandledStrategy | HandleFrame | undefined;
}

interface BothUnhandled {
  readonly onUnhandledRequest: UnhandledStrategy | HandleRequest;
  readonly onUnhandledFrame: UnhandledStrategy | HandleFrame;
}

/** Both options of msw, of which each major knows one. What is given for one holds for the other. */
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

/** Hands requests, and no other frames, to a function that knows requests only. */
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
