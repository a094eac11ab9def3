import { type ClientRequest, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { ownReply } from "../../core/emulator/own-replies.ts";
import type { UpstreamCall } from "../../core/emulator/upstream.ts";
import { noAnswer, type Reply, type ReplyHeaders } from "../../core/http/reply.ts";
import type { Timers } from "../../core/http/timers.ts";
import { largestText, latin1Of } from "./latin1.ts";
import { PassedBody } from "./upstream-body.ts";
import { headersForUpstream, headersOfUpstream } from "./upstream-headers.ts";
import { mergeChunks } from "./upstream-socket.ts";
import type { UpstreamService } from "./upstream-service.ts";
import type { UpstreamTape } from "./upstream-tape.ts";

/** What an exchange with a service goes by. */
export interface UpstreamExchangeOptions {
  readonly asked: UpstreamCall;
  readonly service: UpstreamService;
  readonly body: Uint8Array;
  readonly tape: UpstreamTape;
  readonly timers: Timers;
}

/** Answers to these have no body, whatever their head says (RFC 9110, 6.4.1). */
const bodiless: readonly number[] = [204, 205, 304];

const largestHead = 256 * 1024;

/** What the system says where a connection ends that was there. */
const brokenCodes: readonly string[] = ["ECONNRESET", "EPIPE", "ECONNABORTED"];

/** One request to a service, and its answer on the way back. */
export class UpstreamExchange {
  readonly #options: UpstreamExchangeOptions;
  #sentAt: number;
  #isConnected = false;
  #wasRepeated = false;
  #stop: () => void = () => undefined;

  constructor(options: UpstreamExchangeOptions) {
    this.#options = options;
    this.#sentAt = options.timers.now();
  }

  /** Asks, and resolves when the head of the answer is there, or when it is known that none comes. */
  answer(): Promise<Reply> {
    return new Promise((resolve) => {
      const leave = (): void => {
        this.#stop();
        // Nobody is there to get it.
        resolve(noAnswer("hang"));
      };
      this.#send(resolve);
      // The signal is made when it is asked for: now, while the service is at work.
      const { signal } = this.#options.asked.call;
      if (signal.aborted) leave();
      else signal.addEventListener("abort", leave, { once: true });
    });
  }

  #elapsed(): number {
    return Math.max(0, this.#options.timers.now() - this.#sentAt);
  }

  #send(resolve: (reply: Reply) => void): void {
    const { tape } = this.#options;
    const request = this.#request();
    mergeChunks(request);
    this.#isConnected = false;
    this.#sentAt = this.#options.timers.now();
    let isAnswered = false;
    this.#stop = () => {
      request.destroy();
      if (!isAnswered) tape.end("left", this.#elapsed());
    };
    request
      .once("socket", (socket) => {
        const done = (): void => void (this.#isConnected = true);
        if (!socket.connecting) done();
        else socket.once(this.#options.service.isSecure ? "secureConnect" : "connect", done);
      })
      .once("finish", () => {
        if (!isAnswered) this.#sentAt = this.#options.timers.now();
      })
      .once("response", (response) => {
        isAnswered = true;
        // What came with the head is taken until then, and goes out with it.
        process.nextTick(resolve, this.#take(response));
      })
      .once("upgrade", (response: IncomingMessage) => {
        response.destroy();
        isAnswered = true;
        resolve(this.#refuse("it switched to another protocol (101)"));
      })
      .on("error", (error) => {
        if (isAnswered) return;
        isAnswered = true;
        this.#fail(error, request, resolve);
      });
    const { body } = this.#options;
    // As text, the usual body goes out in one piece with the head.
    if (body.length > largestText) request.end(body);
    else request.end(latin1Of(body), "latin1");
  }

  #request(): ClientRequest {
    const { asked, service, body } = this.#options;
    const { call } = asked;
    const headers = headersForUpstream(call.headers);
    headers.push("host", service.host);
    if (body.length > 0 || /^(?:POST|PUT|PATCH)$/.test(call.method)) {
      headers.push("content-length", String(body.length));
    }
    const send = service.isSecure ? requestHttps : requestHttp;
    return send({
      hostname: service.hostname,
      port: service.port,
      path: service.pathFor(asked.path, call.query),
      method: call.method,
      headers,
      // A connection that was kept may have ended meanwhile. What must not be done twice gets one of its own.
      agent: canRepeat(asked) && !this.#wasRepeated ? service.agent : false,
      maxHeaderSize: largestHead,
    });
  }

  #take(response: IncomingMessage): Reply {
    const { asked, tape } = this.#options;
    const { call } = asked;
    const status = response.statusCode ?? 0;
    const hasBody = call.method !== "HEAD" && !bodiless.includes(status);
    const headers = headersOfUpstream(response);
    const elapsed = (): number => this.#elapsed();
    tape.head({ status, headers, afterMs: elapsed(), hasBody });
    if (!hasBody) {
      response.on("error", () => undefined).resume();
      this.#stop = () => undefined;
      tape.end("close", elapsed());
      return {
        status,
        headers: withoutLength(status, headers),
        body: { kind: "none" },
        answeredBy,
      };
    }
    const over = (): void => void (this.#stop = () => undefined);
    const body = new PassedBody(response, { tape, elapsed, over });
    this.#stop = () => body.stop();
    return {
      status,
      headers,
      body: { kind: "live", play: (sink) => body.play(sink) },
      answeredBy,
    };
  }

  #fail(
    error: NodeJS.ErrnoException,
    request: ClientRequest,
    resolve: (reply: Reply) => void,
  ): void {
    const { asked, tape } = this.#options;
    const isBroken = this.#isConnected && brokenCodes.includes(error.code ?? "");
    if (isBroken && request.reusedSocket && !asked.call.signal.aborted) {
      this.#wasRepeated = true;
      this.#send(resolve);
      return;
    }
    this.#stop = () => undefined;
    if (isBroken) {
      tape.end("reset", this.#elapsed());
      resolve({ ...noAnswer("reset"), answeredBy });
    } else {
      resolve(this.#refuse(reasonOf(error)));
    }
  }

  #refuse(reason: string): Reply {
    const { asked, service, tape } = this.#options;
    tape.drop(`the service gave no answer: ${reason}`);
    return ownReply(asked, {
      status: 502,
      code: "upstream_failed",
      message: `The service at ${service.shown} gave no answer: ${reason}`,
    });
  }
}

const answeredBy = "upstream";

/** Whether a request may be sent twice: by its method, or because it asks for a completion, which changes nothing. */
function canRepeat({ interface: asked, call }: UpstreamCall): boolean {
  return asked === "chat" || /^(?:GET|HEAD|OPTIONS|PUT|DELETE)$/.test(call.method);
}

/** No content has no length, and node:http would send the one of nothing. */
function withoutLength(status: number, headers: ReplyHeaders): ReplyHeaders {
  if (status !== 204) return headers;
  const { "content-length": _, ...others } = headers;
  return others;
}

/** Where a name has several addresses, and none could be reached, the reasons are inside. */
function reasonOf(error: Error): string {
  const inside: unknown = error instanceof AggregateError ? error.errors[0] : undefined;
  const reason = inside instanceof Error ? inside : error;
  return reason.message === "" ? reason.name : reason.message;
}
