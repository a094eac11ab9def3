import {
  type Emulator as CoreEmulator,
  emulatorFrom,
  fixtureSetFrom,
} from "./emulator/emulator.ts";
import type { EmulatorOptions } from "./emulator/emulator.ts";
import { EmulatorError } from "./errors/emulator-error.ts";
import type { MswHandlers } from "./msw/handlers.ts";

export type { ChatScripts } from "./emulator/chats.ts";
export type { EmulatorOptions } from "./emulator/emulator.ts";
export type { ExchangeRecord, Observer } from "./emulator/exchange.ts";
export type { EmulatorSettings } from "./emulator/options.ts";
export type { Snapshot } from "./emulator/state.ts";
export type { Key, TableHandle } from "./emulator/tables.ts";
export type { TablesOf } from "./emulator/typed-tables.ts";
export {
  EmulatorError,
  type EmulatorErrorCode,
  isEmulatorError,
  type Problem,
} from "./errors/emulator-error.ts";
export type { FixtureSet } from "./fixtures/fixture-set.ts";
export type { Script, ScriptReply, When } from "./chat/script.ts";
export type { JsonValue, Row } from "./store/row.ts";

/** One emulated service in this process. */
export interface Emulator<Fixtures = unknown> extends CoreEmulator<Fixtures> {
  /**
   * Handlers for `setupServer(...emulator.handlers)` and `setupWorker(...emulator.handlers)` of msw, 2 or 3.
   * Throws `ERR_PACKAGE_MISSING` when msw is not installed.
   */
  readonly handlers: MswHandlers;
}

/**
 * Makes an emulator of both interfaces from fixtures. Rejects with an `EmulatorError` when fixtures or options
 * are wrong.
 *
 * @example
 * const emulator = await createEmulator({
 *   fixtures: { tables: { users: [{ id: 1, name: "Ada" }] } },
 * });
 * const response = await emulator.fetch("/rest/users", {
 *   headers: { authorization: "Bearer local-token" },
 * });
 */
export async function createEmulator<const Fixtures = unknown>(
  options: EmulatorOptions<Fixtures> = {},
): Promise<Emulator<Fixtures>> {
  const { fixtures, observer, ...settings } = options;
  const [set, makeHandlers] = await Promise.all([
    fixtureSetFrom(fixtures, settings.seed),
    importHandlers(),
  ]);
  const emulator = emulatorFrom<Fixtures>(set, settings, observer);
  return withHandlers(emulator, makeHandlers);
}

type MakeHandlers = (emulator: Pick<CoreEmulator, "core" | "fetch">) => MswHandlers;

/** Msw is optional. Whoever uses `handlers` has it loaded anyway; without it the import fails at once. */
async function importHandlers(): Promise<MakeHandlers> {
  try {
    return (await import("./msw/handlers.ts")).mswHandlers;
  } catch (cause) {
    return () => {
      throw new EmulatorError(
        "ERR_PACKAGE_MISSING",
        "Cannot make msw handlers: the package msw could not be loaded. Install it: npm install --save-dev msw.",
        { cause },
      );
    };
  }
}

function withHandlers<Fixtures>(
  emulator: CoreEmulator<Fixtures>,
  makeHandlers: MakeHandlers,
): Emulator<Fixtures> {
  let handlers: MswHandlers | undefined;
  return {
    ...emulator,
    get handlers() {
      return (handlers ??= makeHandlers(emulator));
    },
  };
}
