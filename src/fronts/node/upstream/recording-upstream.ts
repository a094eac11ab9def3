import { Pool } from "undici";
import type { RecordingRules } from "../../../core/replay/cassette.ts";
import { ownReply } from "../../../core/emulator/own-replies.ts";
import type { Upstream, UpstreamCall } from "../../../core/emulator/backends.ts";
import type { CallBody } from "../../../core/http/call.ts";
import { noAnswer } from "../../../core/http/reply.ts";
import type { Timers } from "../../../core/http/scheduler.ts";
import type { Recorder } from "../extras.ts";
import { ExchangeRecording } from "./exchange-recording.ts";
import { UpstreamExchange, type UpstreamService } from "./exchange.ts";

/** An exchange that was not recorded. */
export interface NotRecorded {
  readonly interface: UpstreamCall["interface"];
  readonly method: string;
  /** The path below the interface's mount point. */
  readonly path: string;
  readonly reason: string;
}

/** What asking and recording services needs. */
export interface UpstreamOptions {
  readonly asked: Upstream["asked"];
  /** The services' URLs, by interface. */
  readonly services: Readonly<Partial<Record<UpstreamCall["interface"], string>>>;
  readonly recorder: Recorder;
  readonly rules: RecordingRules;
  readonly timers: Timers;
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
  const { asked, services, recorder, rules, timers, notRecorded, failed } = options;
  const reached = new Map(
    Object.entries(services).map(([name, address]) => [name, upstreamService(address)]),
  );
  const endings = new Set<Promise<void>>();
  let open = 0;
  let isStopped = false;

  const recordingOf = ({ call, interface: named, path }: UpstreamCall, bytes: Uint8Array) => {
    const { method, query, headers } = call;
    const body = bytes.length === 0 ? undefined : bytes;
    return new ExchangeRecording({
      recording: recorder.begin(named, { method, path, query, headers, body }),
      rules,
      isStopped: () => isStopped,
      notRecorded: (reason) => notRecorded({ interface: named, method, path, reason }),
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
      const service = reached.get(call.interface);
      if (service === undefined) return undefined;
      const body = await bodyOf(call);
      if (body.kind === "aborted") return noAnswer("hang");
      if (body.kind === "too-large") {
        const message = `The request body has more than ${body.limit} bytes, the most that can be passed on.`;
        return ownReply(call, { status: 413, code: "request_too_large", message });
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

/** Longer than any answer takes: the client decides how long to wait. */
const limits = { headersTimeout: 0, bodyTimeout: 0, maxHeaderSize: 256 * 1024 };

/** A service at an address such as `https://api.example.com/v1`. */
function upstreamService(address: string): UpstreamService {
  const url = new URL(address);
  const base = url.pathname.replace(/\/+$/, "");
  return {
    kept: new Pool(url.origin, limits),
    single: new Pool(url.origin, { ...limits, pipelining: 0 }),
    shown: `${url.origin}${base}`,
    pathFor: (path, query) => {
      const whole = `${base}${path}`;
      return `${whole === "" ? "/" : whole}${query === "" ? "" : `?${query}`}`;
    },
  };
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
