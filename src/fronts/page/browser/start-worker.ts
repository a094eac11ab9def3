import {
  type CollectionTables,
  createEmulator,
  type Emulator,
  type EmulatorOptions,
} from "../../../index.ts";
import { checkOptions } from "../../../core/fixture-set/settings.ts";
import { cannotStart } from "../check-script.ts";
import { intercept, type InterceptOptions, type Interception } from "./intercept.ts";
import { browserOptions, notOfBrowser } from "../options.ts";

/** What `startWorker` takes: fixtures and settings of the emulator, and how the page's requests get to it. */
export interface WorkerOptions<Fixtures = unknown, Collections extends CollectionTables = never>
  extends EmulatorOptions<Fixtures, Collections>, InterceptOptions {}

/** An emulator that answers the requests of its page. */
export interface BrowserEmulator<Fixtures = unknown, Collections extends CollectionTables = never>
  extends Emulator<Fixtures, Collections>, Interception {}

/** Whether there is a worker that answers for this page, or is about to; a page has one. */
let isTaken = false;

/**
 * Makes an emulator and has it answer what the page requests, through the service worker of msw 2 or 3. Resolves once
 * requests get to it. Rejects with an `EmulatorError` when fixtures or options are wrong, or the worker's script is
 * not there or of another version than msw in the page.
 *
 * @example
 * const emulator = await startWorker({ fixtures });
 * const response = await fetch("/rest/users", { headers: { authorization: "Bearer local-token" } });
 */
export async function startWorker<
  const Fixtures = unknown,
  const Collections extends CollectionTables = never,
>(
  options: WorkerOptions<Fixtures, Collections> = {},
): Promise<BrowserEmulator<Fixtures, Collections>> {
  checkOptions(options, browserOptions, notOfBrowser);
  const { serviceWorker, onUnhandledRequest, onUnhandledFrame, quiet, ...settings } = options;
  if (isTaken)
    throw cannotStart("another one answers this page. Stop that first: emulator.stop().");
  isTaken = true;
  try {
    const emulator = await createEmulator<Fixtures, Collections>(settings);
    const { worker, stop } = await intercept(emulator, {
      serviceWorker,
      onUnhandledRequest,
      onUnhandledFrame,
      quiet,
    });
    return {
      ...emulator,
      worker,
      stop: async () => {
        await stop();
        isTaken = false;
      },
    };
  } catch (error) {
    isTaken = false;
    throw error;
  }
}
