import { constants } from "node:os";

/** The part of a process that hears signals. */
export type SignalledProcess = Pick<NodeJS.Process, "on" | "listenerCount"> & {
  readonly exit: (code: number) => void;
};

/**
 * Ends the process at signals that nobody else listens to. The system does so anyway, except for the first process of
 * a container, which gets only the signals that it listens to.
 */
export function endAtSignals(process: SignalledProcess, signals: readonly NodeJS.Signals[]): void {
  for (const signal of signals) {
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal]);
    });
  }
}
