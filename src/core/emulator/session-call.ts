import type { Call, CallHeaders } from "../http/call.ts";

/** A call as its session sees it: at the path inside of it. */
export class SessionCall implements Call {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: CallHeaders;
  readonly readBody: Call["readBody"];
  readonly #call: Call;

  constructor(call: Call, path: string) {
    this.method = call.method;
    this.path = path;
    this.query = call.query;
    this.headers = call.headers;
    this.readBody = call.readBody;
    this.#call = call;
  }

  get received(): Uint8Array | undefined {
    return this.#call.received;
  }

  get signal(): AbortSignal {
    return this.#call.signal;
  }
}
