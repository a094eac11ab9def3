import type { Call, CallBody, CallHeaders } from "../http/call.ts";

/** A call as its session sees it: at the path inside of it, with its body kept once it was read. */
export class SessionCall implements Call {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: CallHeaders;
  /** The body; undefined until it was read, and where there is none. */
  body: Uint8Array | undefined;
  readonly #call: Call;

  constructor(call: Call, path: string) {
    this.method = call.method;
    this.path = path;
    this.query = call.query;
    this.headers = call.headers;
    this.#call = call;
  }

  get signal(): AbortSignal {
    return this.#call.signal;
  }

  readonly readBody = (): Promise<CallBody> =>
    this.#call.readBody().then((body) => {
      if (body.kind === "bytes") this.body = body.bytes;
      return body;
    });
}
