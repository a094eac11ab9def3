import type { InterfaceName } from "../../../core/interface.ts";
import { Core } from "../../../core/emulator/core.ts";
import type { Extras } from "../../../core/emulator/extras.ts";
import type { AnswerWithRecordings } from "../../../core/emulator/sockets/replay.ts";
import { answerWithRecordings } from "../replay/answer-with-recordings.ts";
import { fetchFrom } from "../../../core/emulator/fetch.ts";
import { EmulatorError } from "../../../core/errors/emulator-error.ts";
import { fetchFailureCode } from "../../../core/errors/no-server.ts";
import type { FixtureSet } from "../../../core/fixture-set/fixture-set.ts";
import type { EmulatorSettings } from "../../../core/settings/settings.ts";
import type { Timers } from "../../../core/http/scheduler.ts";
import { type Answer, bodyOf } from "./answer.ts";
import { joinBytes } from "../../../core/http/bytes.ts";

/** A request that is sent to both the service and the emulator. */
export interface ComparedRequest {
  readonly interface: InterfaceName;
  readonly method: string;
  /** The path below the interface's mount point, still percent-encoded. */
  readonly path: string;
  /** The query without the question mark; empty if there is none. */
  readonly query: string;
  /** Headers by lower-case name, without the key. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
  /** Whether to send the key. Default: true. */
  readonly withKey?: boolean;
}

/** An interface of the service or of the emulator. */
export interface Target {
  /** The URL of the interface's mount point, without a trailing slash. */
  readonly url: string;
  readonly key: string | undefined;
  /** Sends a request, as the global `fetch` does. */
  readonly fetch: (request: Request) => Promise<Response>;
}

/** How long an answer may take. */
export interface RequestTimeout {
  readonly timers: Timers;
  readonly timeoutMs: number;
}

/** The most bytes of an answer that are read. */
const mostBytes = 64_000_000;

/** Sends a request once. Undefined if it is not a valid request. Rejects only if the service cannot be reached. */
export async function ask(
  asked: ComparedRequest,
  target: Target,
  { timers, timeoutMs }: RequestTimeout,
): Promise<Answer | undefined> {
  const over = new AbortController();
  const timer = timers.set(() => over.abort(), timeoutMs);
  try {
    const request = requestTo(target, asked, over.signal);
    if (request === undefined) return undefined;
    return await readAnswer(await target.fetch(request), over.signal);
  } catch (error) {
    if (error instanceof EmulatorError) throw error;
    return { status: 0, headers: new Map(), body: { kind: "none" }, end: brokenBy(over.signal) };
  } finally {
    timers.clear(timer);
  }
}

/**
 * Makes the request for a target; undefined if it is invalid. The error of `Request` is not used, since its message may
 * contain the key.
 */
function requestTo(
  { url, key }: Target,
  { method, path, query, headers: own, body, withKey = true }: ComparedRequest,
  signal: AbortSignal,
): Request | undefined {
  const slash = path === "" || path.startsWith("/") ? "" : "/";
  try {
    const headers = new Headers(own);
    if (body !== undefined && !headers.has("content-type")) {
      headers.set("content-type", "application/json");
    }
    if (key !== undefined && withKey) headers.set("authorization", `Bearer ${key}`);
    const sent = body === undefined ? {} : { body: new Uint8Array(body) };
    const init = { method, headers, redirect: "manual", signal, ...sent } as const;
    return new Request(`${url}${slash}${path}${query === "" ? "" : `?${query}`}`, init);
  } catch {
    return undefined;
  }
}

/** Reads a response to its end. If that fails, the answer's `end` says so; it never rejects. */
async function readAnswer(response: Response, signal: AbortSignal): Promise<Answer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  let end: Answer["end"] = "close";
  try {
    for await (const part of response.body ?? []) {
      size += part.byteLength;
      if (size > mostBytes) {
        end = "too-long";
        break;
      }
      parts.push(part);
    }
  } catch {
    end = brokenBy(signal);
  }
  const headers = new Map(response.headers);
  return { status: response.status, headers, body: bodyOf(joinBytes(parts), headers), end };
}

/** How a failed answer ended: an abort means that its time was up, anything else that the connection broke. */
function brokenBy({ aborted }: AbortSignal): "hang" | "reset" {
  return aborted ? "hang" : "reset";
}

/** Error codes that mean that there is no server, or no trusted one. */
const unreachable =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_\w+|ERR_SSL_\w+|CERT_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|EPROTO|bad port)$/;

/**
 * A real service. Until its first answer, a connection error means that it cannot be reached. Later, it counts as an
 * answer.
 */
export function serviceAt({ url, key, fetch }: Target): Target {
  let isReached = false;
  return {
    url,
    key,
    fetch: async (request) => {
      try {
        const response = await fetch(request);
        isReached = true;
        return response;
      } catch (error) {
        const code = fetchFailureCode(error) ?? "";
        if (isReached || !unreachable.test(code)) throw error;
        throw new EmulatorError(
          "ERR_SERVER_UNREACHABLE",
          `Cannot verify: the service at ${url} cannot be reached (${code}). Check the address, and that it runs.`,
          { cause: error },
        );
      }
    },
  };
}

/** How often a request is repeated after a 429. */
const mostRetries = 2;
const longestRetryMs = 60_000;
const usualRetryMs = 1_000;

/** Sends a request to the service, and repeats it after a 429. Each repetition waits for its `turn`. */
export async function askService(
  asked: ComparedRequest,
  target: Target,
  { turn, ...patience }: RequestTimeout & { readonly turn: () => Promise<void> },
): Promise<Answer | undefined> {
  for (let retries = 0; ; retries++) {
    const answer = await ask(asked, target, patience);
    if (answer?.status !== 429 || retries === mostRetries) return answer;
    // A date is ignored, since the service's clock may differ.
    const seconds = answer.headers.get("retry-after") ?? "";
    const waitMs = /^\d+(?:\.\d+)?$/.test(seconds) ? Number(seconds) * 1000 : usualRetryMs;
    if (waitMs > longestRetryMs) return answer;
    await sleep(waitMs, patience.timers);
    await turn();
  }
}

/** Makes a function that resolves at most so many times per second, evenly spaced and the first time at once. */
export function limitRate(perSecond: number, timers: Timers): () => Promise<void> {
  let next = -Infinity;
  return async () => {
    const now = timers.now();
    const due = Math.max(next, now);
    next = due + 1000 / perSecond;
    if (due > now) await sleep(due - now, timers);
  };
}

function sleep(ms: number, timers: Timers): Promise<void> {
  return new Promise((resolve) => {
    timers.set(resolve, ms);
  });
}

/** Sends a request to an emulator. */
export type AskEmulator = (
  asked: ComparedRequest,
  patience: RequestTimeout,
) => Promise<Answer | undefined>;

/** A key for emulators that accept any. */
const anyKey = "backlot-verify";

const replay = (): Promise<AnswerWithRecordings> => Promise.resolve(answerWithRecordings);

/** Makes an emulator without delays. Throws if the settings do not fit the fixtures. */
export function emulatorOf(
  fixtures: FixtureSet,
  settings: EmulatorSettings,
  extras: Extras,
): AskEmulator {
  let failure: unknown;
  const observer = { failed: (error: unknown) => (failure = error) };
  const surroundings = { extras: { ...extras, replay }, observer };
  const core = new Core(fixtures, { ...settings, speed: 0, latency: 0 }, surroundings);
  const fetch = fetchFrom(core, { inProcess: true });
  const { basePaths, tablesBasePaths, apiKeys, tokens } = core.settings;
  const target = (path: string, key: string = anyKey): Target => {
    return { url: `http://localhost${path}`, key, fetch };
  };
  const targets = {
    chat: target(basePaths[0] ?? "", apiKeys?.[0]),
    tables: target(`${tablesBasePaths[0] ?? ""}/rest`, tokens?.[0]),
  };
  return async (asked, patience) => {
    failure = undefined;
    const answer = await ask(asked, targets[asked.interface], patience);
    // A bug in Backlot must not look like a difference to the service.
    if (failure !== undefined) throw failure;
    return answer;
  };
}
