import { EmulatorError } from "../errors/emulator-error.ts";
import { didYouMean } from "../errors/nearest-name.ts";
import { showValue } from "../errors/show.ts";
import type { Observer } from "./exchange.ts";

const observerNames: readonly (keyof Observer)[] = ["exchanged", "failed"];

/** What is told of exchanges and failures. Objects of a class may have what they like besides. */
export function readObserver(observer: Observer): Observer {
  if (typeof observer !== "object" || observer === null) {
    throw refusal("observer", observer, 'Give an object with "exchanged", "failed" or both.');
  }
  const prototype: unknown = Object.getPrototypeOf(observer);
  const isPlain = prototype === Object.prototype || prototype === null;
  const unknown = Object.keys(observer).find(
    (name) => !observerNames.some((known) => known === name),
  );
  if (isPlain && unknown !== undefined) {
    throw new EmulatorError(
      "ERR_OPTION_INVALID",
      `Cannot use the option observer: nothing calls its "${unknown}".${didYouMean(unknown, observerNames)} ` +
        `Use: ${observerNames.join(", ")}.`,
    );
  }
  for (const name of observerNames) {
    const value: unknown = observer[name];
    if (value === undefined || typeof value === "function") continue;
    throw refusal(`observer.${name}`, value, "Give a function.");
  }
  return observer;
}

function refusal(name: string, value: unknown, advice: string): EmulatorError {
  const message = `Cannot use the option ${name}: its value is ${showValue(value)}. ${advice}`;
  return new EmulatorError("ERR_OPTION_INVALID", message);
}
