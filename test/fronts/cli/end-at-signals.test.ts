import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { endAtSignals } from "../../../src/fronts/cli/end-at-signals.ts";

/** A process that only notes how it ends. */
class HeardProcess extends EventEmitter {
  readonly exits: number[] = [];

  exit(code: number): void {
    this.exits.push(code);
  }
}

const other = (): void => undefined;

test.each([
  ["SIGTERM", 143],
  ["SIGINT", 130],
  ["SIGHUP", 129],
] as const)("ends at %s, unless something else listens to it", (signal, code) => {
  const heard = new HeardProcess();
  endAtSignals(heard as never, ["SIGINT", "SIGTERM", "SIGHUP"]);
  heard.on(signal, other);
  heard.emit(signal);
  expect(heard.exits).toEqual([]);
  heard.off(signal, other);
  heard.emit(signal);
  expect(heard.exits).toEqual([code]);
});
