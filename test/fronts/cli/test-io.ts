import { once } from "node:events";
import { vi } from "vitest";
import type { Io } from "../../../src/fronts/cli/io.ts";

/** The surroundings of a command in a test, and what it wrote. */
export interface TestIo extends Io {
  readonly out: () => string;
  readonly err: () => string;
  /** What Ctrl-C does. */
  readonly stop: () => void;
}

/** Where there is nothing but the working directory: no terminal, an empty environment, a clock that stands. */
export function testIo(
  options: {
    readonly cwd?: string;
    readonly env?: Io["env"];
    readonly isTerminal?: boolean;
  } = {},
): TestIo {
  const { cwd = "/nowhere", env = {}, isTerminal = false } = options;
  let out = "";
  let err = "";
  const stopping = new AbortController();
  const stopped = once(stopping.signal, "abort").then(() => undefined);
  return {
    stdout: { write: (text) => void (out += text), isTerminal },
    stderr: { write: (text) => void (err += text), isTerminal },
    env,
    cwd,
    addresses: () => ["192.0.2.1", "198.51.100.7"],
    now: () => new Date(2024, 0, 1, 12, 34, 56).getTime(),
    untilStopped: () => stopped,
    out: () => out,
    err: () => err,
    stop: () => stopping.abort(),
  };
}

/** Waits until a command has written something that fits. */
export function written(read: () => string, pattern: RegExp): Promise<RegExpExecArray> {
  return vi.waitFor(
    () => {
      const found = pattern.exec(read());
      if (found === null) throw new Error(`Nothing like ${pattern} was written, but:\n${read()}`);
      return found;
    },
    { timeout: 30_000, interval: 5 },
  );
}
