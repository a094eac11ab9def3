import { environmentFlags, variableName } from "../environment-options.ts";
import type { Io } from "../io.ts";
import { OptionValueError } from "../option-values.ts";
import { type StartFlags, type StartOption, startOptions } from "../start-options.ts";

/** The options of `exec` as they were given: those of `start` that make sense for one command. */
export type ExecFlags = Omit<StartFlags, (typeof leftOut)[number]>;

/** It listens where nobody else can call, for one command alone, and serves what is there when it starts, with keys and rows of its own. */
const leftOut = ["host", "tables", "watch", "record", "recordRest"] as const;

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

/** What the environment may ask of `start`, and `exec` cannot do. The host, as the port, is for `start` alone. */
const refusedInEnvironment = startOptions.filter(
  ({ key }) => key !== "host" && leftOut.some((other) => other === key),
);

/** Refuses what would be ignored otherwise, and be handed to the command. Throws an `OptionValueError`. */
export function refuseInEnvironment(env: Io["env"]): void {
  const asked = environmentFlags(env, refusedInEnvironment);
  for (const option of refusedInEnvironment) {
    const value = asked[option.key];
    if (value === undefined || value === false) continue;
    const name = variableName(option);
    throw new OptionValueError(
      `environment variable ${name} is for backlot start; exec has no --${option.name}. ` +
        `Leave it empty: ${name}= backlot exec …`,
    );
  }
}
