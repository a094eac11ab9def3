import { EmulatorError } from "../../../core/errors/emulator-error.ts";
import { fetchFailureCode } from "../../../core/errors/no-server.ts";
import type { Timers } from "../../../core/http/scheduler.ts";
import { type Answer, type Patience, aborted, deadlineOf, noHead, readAnswer } from "./answer.ts";
import { type ComparedRequest, fetchRequest } from "./step.ts";

/** A real service. */
export interface Service {
  /** What each interface's mount point is there, without a slash at the end. Undefined: it is not asked. */
  readonly urls: Readonly<Record<ComparedRequest["interface"], string | undefined>>;
  readonly keys: Readonly<Record<ComparedRequest["interface"], string | undefined>>;
  /** Sends a request, as the global `fetch` does. */
  readonly fetch: (request: Request) => Promise<Response>;
  readonly patience: Patience;
  /** Waited for before each request; of the first try by who asks. */
  readonly turn: Turn;
  /** The interfaces that have answered once: what fails from then on is the service's answer. */
  readonly reached: Set<ComparedRequest["interface"]>;
}

/** What came of asking: an answer, or why the request could not be sent. */
type ServiceAnswer = Answer | { readonly unsendable: string };

/** How often a request is sent again that the service had no room for. */
const mostRetries = 2;
const longestRetryMs = 60_000;
const usualRetryMs = 1_000;

/**
 * Asks the service, once more where it wants to be asked later (429). Rejects with `ERR_OPTION_INVALID` where the service
 * cannot be reached.
 */
export async function askService(asked: ComparedRequest, service: Service): Promise<ServiceAnswer> {
  for (let retries = 0; ; retries++) {
    if (retries > 0) await service.turn();
    const answer = await askOnce(asked, service);
    if ("unsendable" in answer || answer.status !== 429) return answer;
    const waitMs = retryAfterMs(answer);
    if (retries === mostRetries || waitMs > longestRetryMs) return answer;
    await sleep(waitMs, service.patience.timers);
  }
}

/** In milliseconds. A date is not read: it is another clock's. */
function retryAfterMs({ headers }: Answer): number {
  const seconds = headers.get("retry-after") ?? "";
  return /^\d+(?:\.\d+)?$/.test(seconds) ? Number(seconds) * 1000 : usualRetryMs;
}

async function askOnce(asked: ComparedRequest, service: Service): Promise<ServiceAnswer> {
  const deadline = deadlineOf(service.patience);
  try {
    const request = sendable(asked, service, deadline.signal);
    if (!(request instanceof Request)) return request;
    const sent = service.fetch(request).catch((error: unknown) => ({ error }));
    const head = await Promise.race([sent, aborted(deadline.signal)]);
    if (head === "hang") return noHead("hang");
    if (!("error" in head)) {
      service.reached.add(asked.interface);
      return await readAnswer(head, deadline, service.patience);
    }
    if (deadline.signal.aborted) return noHead("hang");
    if (!service.reached.has(asked.interface)) {
      refuseUnreachable(head.error, service.urls[asked.interface] ?? "");
    }
    return noHead("reset");
  } finally {
    deadline.end();
  }
}

function sendable(
  asked: ComparedRequest,
  { urls, keys }: Service,
  signal: AbortSignal,
): Request | { readonly unsendable: string } {
  const { [asked.interface]: base = "" } = urls;
  try {
    return fetchRequest(asked, { base, key: keys[asked.interface], signal });
  } catch {
    // The message may tell the key.
    return { unsendable: "no request can be made of it" };
  }
}

/** What systems say where nobody is there, or nobody that can be trusted. */
const unreachable =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_\w+|ERR_SSL_\w+|CERT_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|EPROTO|bad port)$/;

function refuseUnreachable(error: unknown, url: string): void {
  const code = fetchFailureCode(error);
  if (code === undefined || !unreachable.test(code)) return;
  throw new EmulatorError(
    "ERR_SERVER_UNREACHABLE",
    `Cannot verify: the service at ${url} cannot be reached (${code}). Check the address, and that it runs.`,
    { cause: error },
  );
}

/** Resolves when it is somebody's turn. */
type Turn = () => Promise<void>;

/** Lets at most so many have their turn in a second, evenly spread; the first at once. */
export function spacedTurns(perSecond: number, timers: Timers): Turn {
  const gapMs = 1000 / perSecond;
  let next: number | undefined;
  return async () => {
    const now = timers.now();
    const due = Math.max(next ?? now, now);
    next = due + gapMs;
    if (due > now) await sleep(due - now, timers);
  };
}

/** Resolves after so many milliseconds. */
export function sleep(ms: number, timers: Timers): Promise<void> {
  return new Promise((resolve) => {
    timers.set(resolve, ms);
  });
}
