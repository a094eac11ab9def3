import type { InterfaceName } from "../../../core/interface.ts";
import { Pool, type Dispatcher, ProxyAgent } from "undici";
import type { RecordingRules } from "../../../core/recordings/cassette.ts";
import { ownReply } from "../../../core/emulator/own-replies.ts";
import type { Upstream, UpstreamCall } from "../../../core/emulator/sockets/upstream.ts";
import type { CallBody } from "../../../core/http/call.ts";
import { noAnswer, type Reply, type ReplyHeaders } from "../../../core/http/reply.ts";
import type { Timers, Sink } from "../../../core/http/scheduler.ts";
import type { Recorder } from "../extras.ts";
import { ExchangeRecording } from "./exchange-recording.ts";
import { headersForUpstream, headersOfUpstream } from "./headers.ts";
import { clientLeft, PassedBody } from "./passed-body.ts";

/** An exchange that was not recorded. */
export interface NotRecorded {
  readonly interface: InterfaceName;
  readonly method: string;
  /** The path below the interface's mount point. */
  readonly path: string;
  readonly reason: string;
}

/** What is needed to call services and record them. */
export interface UpstreamOptions {
  readonly asked: Upstream["asked"];
  /** The services' URLs, by interface. */
  readonly services: Readonly<Partial<Record<InterfaceName, string>>>;
  readonly recorder: Recorder;
  readonly rules: RecordingRules;
  readonly timers: Timers;
  /** The address of the proxy for a service. Default: no proxy. */
  readonly proxyTo?: (service: URL) => string | undefined;
  readonly notRecorded: (exchange: NotRecorded) => void;
  /** Receives failures that are bugs. The client gets its answer anyway. */
  readonly failed: (error: unknown) => void;
}

/** Real services behind an emulator, whose answers are recorded. */
export interface RecordingUpstream extends Upstream {
  /** Stops recording unfinished exchanges. Resolves with their number when all others are recorded. */
  readonly finish: () => Promise<number>;
  /** Ends the connections. */
  readonly close: () => void;
}

/** The most bytes of a request that can be passed on: 64 MB. */
const mostBytes = 64_000_000;

/** Passes calls on to real services and their answers back, unbuffered, and records both. */
export function recordingUpstream(options: UpstreamOptions): RecordingUpstream {
  const { asked, services, recorder, rules, timers, notRecorded, failed, proxyTo } = options;
  const reached = new Map(
    Object.entries(services).map(([name, address]) => [
      name,
      upstreamService(new URL(address), proxyTo),
    ]),
  );
  const endings = new Set<Promise<void>>();
  let open = 0;
  let isStopped = false;

  const recordingOf = ({ call, interface: named, path }: UpstreamCall, bytes: Uint8Array) => {
    const { method, query, headers } = call;
    const body = bytes.length === 0 ? undefined : bytes;
    return new ExchangeRecording({
      recording: recorder.begin(named.name, { method, path, query, headers, body }),
      rules,
      isStopped: () => isStopped,
      notRecorded: (reason) => notRecorded({ interface: named.name, method, path, reason }),
      over: (done) => {
        open -= 1;
        const settled = done.catch(failed).finally(() => endings.delete(settled));
        endings.add(settled);
      },
    });
  };

  return {
    asked,
    answer: async (call) => {
      const service = reached.get(call.interface.name);
      if (service === undefined) return undefined;
      const body = await bodyOf(call);
      if (body.kind === "aborted") return noAnswer("hang");
      if (body.kind === "too-large") {
        const message = `The request body has more than ${body.limit} bytes, the most that can be passed on.`;
        return ownReply(call.interface, { status: 413, code: "request_too_large", message });
      }
      const recording = recordingOf(call, body.bytes);
      open += 1;
      const exchange = { asked: call, service, body: body.bytes, recording, timers };
      return new UpstreamExchange(exchange).answer();
    },
    finish: async () => {
      isStopped = true;
      await Promise.all(endings);
      return open;
    },
    close: () => {
      for (const { kept, single } of reached.values()) {
        void kept.destroy();
        void single.destroy();
      }
    },
  };
}

/** No timeouts, since the client decides how long to wait. */
const limits = { headersTimeout: 0, bodyTimeout: 0, maxHeaderSize: 256 * 1024 };

/** The connections to a service at an address such as `https://api.example.com/v1`. */
function upstreamService(url: URL, proxyTo: UpstreamOptions["proxyTo"]): UpstreamService {
  const proxy = proxyTo?.(url);
  const kept = proxy === undefined ? new Pool(url.origin, limits) : throughProxy(proxy, url);
  const base = url.pathname.replace(/\/+$/, "");
  return {
    origin: url.origin,
    kept,
    single: proxy === undefined ? new Pool(url.origin, { ...limits, pipelining: 0 }) : kept,
    hasFree: () => kept instanceof Pool && kept.stats.free > 0,
    shown: `${url.origin}${base}`,
    pathFor: (path, query) => {
      const whole = `${base}${path}`;
      return `${whole === "" ? "/" : whole}${query === "" ? "" : `?${query}`}`;
    },
  };
}

/** Only https needs a tunnel, and many proxies refuse tunnels for http. */
function throughProxy(uri: string, { protocol }: URL): ProxyAgent {
  return new ProxyAgent({ uri, proxyTunnel: protocol === "https:", pipelining: 0, ...limits });
}

/** Requests with these methods have a body only if their head says so. */
const usuallyBare = /^(?:GET|HEAD|OPTIONS|DELETE)$/;

const noBytes = new Uint8Array();

function bodyOf({ call }: UpstreamCall): Promise<CallBody> | CallBody {
  const { method, headers } = call;
  const announced = headers["content-length"] ?? headers["transfer-encoding"];
  if (announced === undefined && usuallyBare.test(method)) return { kind: "bytes", bytes: noBytes };
  return call.readBody(mostBytes);
}

/** A real service, and the connections to it. */
interface UpstreamService {
  /** The service's address, for messages. */
  readonly shown: string;
  readonly origin: string;
  /** Connections that are kept open for further requests. */
  readonly kept: Dispatcher;
  /** One connection per request, closed after its answer. */
  readonly single: Dispatcher;
  /** Whether a kept connection is free for a request. */
  readonly hasFree: () => boolean;
  /** The service's path for a path below the interface's mount point. */
  readonly pathFor: (path: string, query: string) => string;
}

interface UpstreamExchangeOptions {
  readonly asked: UpstreamCall;
  readonly service: UpstreamService;
  readonly body: Uint8Array;
  readonly recording: ExchangeRecording;
  readonly timers: Timers;
}

/** Answers with these statuses have no body, whatever their head says (RFC 9110, 6.4.1). */
const bodiless: readonly number[] = [204, 205, 304];

const answeredBy = "upstream";

/** A request to a service, and its answer. */
class UpstreamExchange implements Dispatcher.DispatchHandler {
  readonly #options: UpstreamExchangeOptions;
  #resolve: (reply: Reply) => void = () => undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #sentAt: number;
  /** Whether the request may be sent again. It uses a kept connection, which the service may just have closed. */
  #mayRepeat = false;
  #isAnswered = false;
  #isLeft = false;
  #body: PassedBody | undefined;

  constructor(options: UpstreamExchangeOptions) {
    this.#options = options;
    this.#sentAt = options.timers.now();
  }

  /** Sends the request. Resolves when the head of the answer arrives, or when it is known that none will. */
  answer(): Promise<Reply> {
    const { asked, service } = this.#options;
    return new Promise((resolve) => {
      this.#resolve = resolve;
      if (canRepeat(asked)) {
        this.#mayRepeat = service.hasFree();
        this.#send(service.kept);
      } else this.#send(service.single);
      const leave = (): void => this.#leave();
      const { signal } = asked.call;
      if (signal.aborted) leave();
      else signal.addEventListener("abort", leave, { once: true });
    });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.#sentAt = this.#options.timers.now();
    if (this.#isLeft) controller.abort(clientLeft);
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    // Informational responses, such as 103 Early Hints.
    if (status < 200) return;
    const { asked, recording } = this.#options;
    const hasBody = asked.call.method !== "HEAD" && !bodiless.includes(status);
    const headers = headersOfUpstream(controller.rawHeaders as readonly Buffer[]);
    const elapsed = (): number => this.#elapsed();
    this.#isAnswered = true;
    recording.head({ status, headers, afterMs: elapsed(), hasBody });
    if (!hasBody) {
      recording.end("close", elapsed());
      const passed = withoutLength(status, headers);
      this.#resolve({ status, headers: passed, body: { kind: "none" }, answeredBy });
      return;
    }
    const body = new PassedBody(controller, { recording, elapsed });
    this.#body = body;
    const live = { kind: "live", play: (sink: Sink) => body.play(sink) } as const;
    // Data that arrives with the head is collected in this turn, and sent together with the head.
    process.nextTick(this.#resolve, { status, headers, body: live, answeredBy });
  }

  onResponseData(_: Dispatcher.DispatchController, bytes: Buffer): void {
    this.#body?.take(bytes);
  }

  onResponseEnd(): void {
    this.#body?.finish("close");
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    if (this.#isAnswered) this.#body?.finish("reset");
    else if (!this.#isLeft) this.#fail(error);
  }

  #elapsed(): number {
    return Math.max(0, this.#options.timers.now() - this.#sentAt);
  }

  #send(pool: Dispatcher): void {
    const { asked, service, body } = this.#options;
    const { method, query, headers } = asked.call;
    const options: Dispatcher.DispatchOptions = {
      origin: service.origin,
      method,
      path: service.pathFor(asked.path, query),
      headers: headersForUpstream(headers),
      body: body.length === 0 ? null : body,
    };
    try {
      pool.dispatch(options, this);
    } catch (error) {
      this.#fail(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #fail(error: NodeJS.ErrnoException): void {
    const { service, recording } = this.#options;
    const isBroken = this.#controller !== undefined && breaksOff(error);
    if (isBroken && this.#mayRepeat) {
      this.#mayRepeat = false;
      this.#controller = undefined;
      this.#send(service.single);
      return;
    }
    this.#isAnswered = true;
    if (isBroken) {
      recording.end("reset", this.#elapsed());
      this.#resolve({ ...noAnswer("reset"), answeredBy });
    } else this.#resolve(this.#refuse(reasonOf(error)));
  }

  #leave(): void {
    this.#isLeft = true;
    this.#body?.stop();
    if (this.#isAnswered) return;
    this.#options.recording.end("left", this.#elapsed());
    this.#controller?.abort(clientLeft);
    // The client has left, so nobody gets this reply.
    this.#resolve(noAnswer("hang"));
  }

  #refuse(reason: string): Reply {
    const { asked, service, recording } = this.#options;
    recording.drop(`the service gave no answer: ${reason}`);
    return ownReply(asked.interface, {
      status: 502,
      code: "upstream_failed",
      message: `The service at ${service.shown} gave no answer: ${reason}`,
    });
  }
}

/** Whether a request may be sent twice, because of its method or because it changes nothing. */
function canRepeat({ interface: asked, call }: UpstreamCall): boolean {
  return !asked.changesRows(call.method) || /^(?:PUT|DELETE)$/.test(call.method);
}

/** Removes the length from an answer without content. Otherwise node:http would send the length of an empty body. */
function withoutLength(status: number, headers: ReplyHeaders): ReplyHeaders {
  if (status !== 204) return headers;
  const { "content-length": _, ...others } = headers;
  return others;
}

/** Whether the connection was closed, as opposed to a server that does not speak HTTP. */
function breaksOff({ code = "", message }: NodeJS.ErrnoException): boolean {
  if (code === "UND_ERR_SOCKET") return message === "other side closed" || message === "closed";
  return ["ECONNRESET", "EPIPE", "ECONNABORTED"].includes(code);
}

/** The reason of a failed connection. If a name has several addresses, the reasons are nested in the error. */
function reasonOf(error: Error): string {
  const inside: unknown = error instanceof AggregateError ? error.errors[0] : undefined;
  const reason = inside instanceof Error ? inside : error;
  return reason.message === "" ? reason.name : reason.message;
}
