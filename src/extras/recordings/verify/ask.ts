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

/** A request as both the service and the emulator are asked it. */
export interface ComparedRequest {
  readonly interface: InterfaceName;
  readonly method: string;
  /** Below the interface's mount point, still percent-encoded. */
  readonly path: string;
  /** Without the question mark; empty when there is none. */
  readonly query: string;
  /** By lower-case name, without the key. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
  /** Whether the key goes with it. Default true. */
  readonly withKey?: boolean;
}

/** An interface of the service, or of the emulator. */
export interface Target {
  /** What its mount point is there, without a slash at the end. */
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

/** More of an answer is not read. */
const mostBytes = 64_000_000;

/** Asks once. Undefined: it cannot be sent as a request. Rejects only where the service cannot be reached. */
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

/** What is asked of a target. The message of what `Request` throws may tell the key. */
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

/** Reads a response to its end, whatever that is. It does not reject. */
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

/** What is aborted fails as a connection that breaks does. */
function brokenBy({ aborted }: AbortSignal): "hang" | "reset" {
  return aborted ? "hang" : "reset";
}

/** What systems say where nobody is there, or nobody that can be trusted. */
const unreachable =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_\w+|ERR_SSL_\w+|CERT_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|EPROTO|bad port)$/;

/** A real service. What fails after its first answer is an answer, too: only before that it cannot be reached. */
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

/** How often a request is sent again that the service had no room for. */
const mostRetries = 2;
const longestRetryMs = 60_000;
const usualRetryMs = 1_000;

/** Asks the service, again where it wants to be asked later (429). Each further try waits for its `turn`. */
export async function askService(
  asked: ComparedRequest,
  target: Target,
  { turn, ...patience }: RequestTimeout & { readonly turn: () => Promise<void> },
): Promise<Answer | undefined> {
  for (let retries = 0; ; retries++) {
    const answer = await ask(asked, target, patience);
    if (answer?.status !== 429 || retries === mostRetries) return answer;
    // A date is not read: it is another clock's.
    const seconds = answer.headers.get("retry-after") ?? "";
    const waitMs = /^\d+(?:\.\d+)?$/.test(seconds) ? Number(seconds) * 1000 : usualRetryMs;
    if (waitMs > longestRetryMs) return answer;
    await sleep(waitMs, patience.timers);
    await turn();
  }
}

/** Lets at most so many have their turn in a second, evenly spread; the first at once. */
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

/** Asks an emulator. */
export type AskEmulator = (
  asked: ComparedRequest,
  patience: RequestTimeout,
) => Promise<Answer | undefined>;

/** Accepted where any key is. */
const anyKey = "backlot-verify";

const replay = (): Promise<AnswerWithRecordings> => Promise.resolve(answerWithRecordings);

/** Makes an emulator of fixtures that waits for nothing. Throws where settings do not fit them. */
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
    // A bug of ours is not to be taken for what the service does.
    if (failure !== undefined) throw failure;
    return answer;
  };
}
