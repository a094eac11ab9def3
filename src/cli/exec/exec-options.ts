import { type StartFlags, type StartOption, startOptions } from "../start-options.ts";

/** The options of `exec` as they were given: those of `start` that make sense for one command. */
export type ExecFlags = Omit<StartFlags, (typeof leftOut)[number]>;

/** It listens where nobody else can call, for one command alone, and serves what is there when it starts, with keys and rows of its own. */
const leftOut = ["host", "workers", "tables", "watch", "record", "recordRest"] as const;

const descriptions: ReadonlyMap<string, string> = new Map([
  ["port", "port (default: a free one)"],
  ["log", "log requests to stderr: pretty, json (default: silent)"],
]);

/** The options of `exec`, in the order in which help shows them. */
export const execOptions: readonly StartOption[] = startOptions
  .filter(({ key }) => !leftOut.some((other) => other === key))
  .map((option) => ({
    ...option,
    description: descriptions.get(option.key) ?? option.description,
  }));

/** Those that the environment can give, too. The port is not: two runs at once would fight for it. */
export const execFromEnvironment: readonly StartOption[] = execOptions.filter(
  ({ key }) => key !== "port",
);
