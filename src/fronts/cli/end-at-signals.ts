import { constants } from "node:os";

/** The part of a process that hears signals. */
export type SignalledProcess = Pick<NodeJS.Process, "on" | "listenerCount"> & {
  readonly exit: (code: number) => void;
};

/**
 * Ends the process at signals that nobody else listens to, as the system does. It does not for the first process of a
 * container, to which signals come only if it listens.
 */
export function endAtSignals(process: SignalledProcess, signals: readonly NodeJS.Signals[]): void {
  for (const signal of signals) {
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal]);
    });
  }
}
