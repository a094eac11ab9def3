import { type Context, createContext, runInContext } from "node:vm";

/** Long enough for whatever ends by itself, and short enough for SIGTERM to be heard. */
const mostMs = 250;

/** What comes soon after something that took too long gets less: many of those together must not hold up everybody, either. */
const soonMs = 5_000;
const leastMs = 10;

let gaveUpAt = -Infinity;

let context: Context | undefined;

/** Does something for a limited time: V8 can be told from outside to end what it is at, a regular expression included. */
export function limitTime<Value>(work: () => Value): Value | undefined {
  let value: Value | undefined;
  context ??= createContext({});
  context["work"] = () => {
    value = work();
  };
  try {
    const timeout = performance.now() - gaveUpAt < soonMs ? leastMs : mostMs;
    runInContext("work()", context, { timeout });
  } catch (error) {
    if (!isTimeout(error)) throw error;
    gaveUpAt = performance.now();
  }
  return value;
}

/** The error comes from the other context, whose `Error` is another one. */
function isTimeout(error: unknown): boolean {
  const isObject = typeof error === "object" && error !== null && "code" in error;
  return isObject && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}
