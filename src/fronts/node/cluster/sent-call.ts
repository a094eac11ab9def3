import type { Call, CallBody, CallHeaders } from "../../../core/http/call.ts";
import type { SentCall } from "./messages.ts";

/** What a call is, to be sent. */
export async function sentCall(call: Call): Promise<SentCall> {
  const { method, path, query, headers } = call;
  // Now: of a connection that has ended nobody could tell.
  const peer = call.peerAddress?.();
  const body = isSmall(headers) ? await call.readBody() : undefined;
  return { method, path, query, headers: { ...headers }, peer, body };
}

/** A body of so many bytes goes with the call: to be asked for it takes longer. */
const smallBody = 65_536;

/** Whether a body may be read before anybody wants it: it is short, and the client does not wait to be asked for it. */
function isSmall(headers: CallHeaders): boolean {
  const length = headers["content-length"];
  return length !== undefined && Number(length) <= smallBody && headers["expect"] === undefined;
}

/** A call that another worker has received. */
export class ReceivedCall implements Call {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: CallHeaders;
  readonly readBody: Call["readBody"];
  readonly peerAddress: () => string | undefined;
  received: Uint8Array | undefined = undefined;
  readonly #gone: AbortController = new AbortController();

  /** `ask` has the other worker read the body. */
  constructor(call: SentCall, ask: (limit: number | undefined) => Promise<CallBody>) {
    this.method = call.method;
    this.path = call.path;
    this.query = call.query;
    this.headers = call.headers;
    this.peerAddress = () => call.peer;
    let body: Promise<CallBody> | undefined;
    this.readBody = (limit) => (body ??= this.#read(call.body ?? ask(limit)));
  }

  async #read(asked: CallBody | Promise<CallBody>): Promise<CallBody> {
    const body = await asked;
    if (body.kind === "bytes") this.received = body.bytes;
    return body;
  }

  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  /** The connection to the other worker is gone, and the client with it. */
  abort(): void {
    this.#gone.abort();
  }
}

/** The same call with some of it changed. */
export function variedCall(
  call: Call,
  changes: Partial<Pick<Call, "method" | "path" | "query" | "headers">>,
): Call {
  const { method, path, query, headers } = { ...partsOf(call), ...changes };
  const { readBody } = call;
  return {
    method,
    path,
    query,
    headers,
    readBody,
    // Of the call as it is then.
    get received() {
      return call.received;
    },
    get signal() {
      return call.signal;
    },
    peerAddress: () => call.peerAddress?.(),
  };
}

function partsOf({ method, path, query, headers }: Call): Omit<SentCall, "peer" | "body"> {
  return { method, path, query, headers };
}
