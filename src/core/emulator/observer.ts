import { type EmulatorError, invalidOption, refuseUnknown } from "../errors/emulator-error.ts";
import { showValue } from "../errors/show.ts";
import type { InterfaceName } from "../interface.ts";

/** A request and its answer, for a log. */
export interface ExchangeRecord {
  /** When the request arrived, in Unix time in milliseconds by its session's clock. */
  readonly at: number;
  /** The request's session; undefined for the base session. */
  readonly session: string | undefined;
  readonly interface: InterfaceName;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  /** 0 when a fault left the request without an answer. */
  readonly status: number;
  /** What gave the answer, such as `script "weather"`. */
  readonly answeredBy: string | undefined;
  /** From the call's arrival to the end of the reply, in real milliseconds. */
  readonly durationMs: number;
  readonly chunksSent: number;
  readonly aborted: boolean;
  /**
   * Why the client got no whole answer: the sentence of a refusal, or how the answer broke off. Undefined: the client
   * got it whole.
   */
  readonly problem?: string | undefined;
}

/** Observes finished exchanges, what a developer should know, and failures that are bugs in the emulator. */
export interface Observer {
  readonly exchanged?: (record: ExchangeRecord) => void;
  /**
   * Receives warnings, which say what to do: a setting would let a refused caller in, a session was dropped, or a query
   * probably asks for something else than its client wants.
   */
  readonly warned?: (message: string) => void;
  readonly failed?: (error: unknown) => void;
}

const observerNames = ["exchanged", "warned", "failed"] as const;

/**
 * Reads an observer. A class instance may have other members, too. An error that it throws breaks no answer: `failed`
 * receives it, and errors thrown by `failed` are ignored.
 */
export function readObserver(observer: Observer): Observer {
  if (typeof observer !== "object" || observer === null) {
    throw refusal("observer", observer, 'Give an object with "exchanged", "warned" or "failed".');
  }
  const prototype: unknown = Object.getPrototypeOf(observer);
  const isPlain = prototype === Object.prototype || prototype === null;
  if (isPlain) {
    refuseUnknown(observer, observerNames, {
      cannot: "Cannot use the option observer",
      noun: "event",
    });
  }
  for (const name of observerNames) {
    const value: unknown = observer[name];
    if (value === undefined || typeof value === "function") continue;
    throw refusal(`observer.${name}`, value, "Give a function.");
  }
  const failed = (error: unknown): void => attempt(() => observer.failed?.(error));
  const warned = (message: string): void => attempt(() => observer.warned?.(message), failed);
  if (observer.exchanged === undefined) return { failed, warned };
  const exchanged: Observer["exchanged"] = (record) =>
    attempt(() => observer.exchanged?.(record), failed);
  return { failed, warned, exchanged };
}

/** Runs code that may fail, at once or asynchronously, and reports the failure. */
export function attempt(run: () => unknown, failed: Observer["failed"] = () => undefined): void {
  try {
    const result = run();
    // The user's code may be async whatever its type says.
    if (result instanceof Promise) result.catch(failed);
  } catch (error) {
    failed(error);
  }
}

function refusal(name: string, value: unknown, advice: string): EmulatorError {
  const message = `Cannot use the option ${name}: its value is ${showValue(value)}. ${advice}`;
  return invalidOption(message);
}
