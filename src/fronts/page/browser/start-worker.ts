import type { SetupWorker } from "msw/browser";
import {
  type CollectionTables,
  createEmulator,
  type Emulator,
  type EmulatorOptions,
  type TablesOf,
} from "../../../index.ts";
import type { AnyTables } from "../../../core/emulator/typed-tables.ts";
import { EmulatorError } from "../../../core/errors/emulator-error.ts";
import { checkOptions } from "../../../core/settings/settings.ts";
import {
  cannotStart,
  checkWorkerScript,
  outOfScope,
  refuseWithoutPage,
  warnOfOther,
} from "../check-script.ts";
import { withLateBreak } from "../late-break.ts";
import { browserOptions, notOfBrowser } from "../options.ts";
import { scopeAddress } from "../scope.ts";
import { bothUnhandled, type UnhandledOptions } from "../../msw/unhandled.ts";

/** The options of `startWorker`: fixtures and settings of the emulator, and how it gets the page's requests. */
export interface WorkerOptions<Fixtures = unknown, Given = never>
  extends EmulatorOptions<Fixtures, Given>, UnhandledOptions {
  /**
   * The address of msw's worker script, and its registration options. Default: `/mockServiceWorker.js` with its own
   * scope.
   */
  readonly serviceWorker?:
    | {
        readonly url?: string;
        readonly options?: RegistrationOptions;
      }
    | undefined;
  /**
   * If false, msw prints every exchange. It then keeps a copy of every stream, so that a cancelled stream plays on.
   * Default: true.
   */
  readonly quiet?: boolean | undefined;
}

/** An emulator that answers the requests of its page. */
export interface BrowserEmulator<Tables = AnyTables> extends Emulator<Tables> {
  /** Msw's worker: its `use` puts handlers before the emulator's. */
  readonly worker: SetupWorker;
  /** Stops answering the page's requests. Answers in progress break off, as when a server stops. */
  readonly stop: () => Promise<void>;
}

/** Whether a worker answers for this page, or is about to. A page can have only one. */
let isTaken = false;

/**
 * Makes an emulator that answers the requests of its page, through the service worker of msw 2 or 3. Resolves once it
 * gets requests. Rejects with an `EmulatorError` when fixtures or options are wrong, or when the worker's script is
 * missing or not of the version of msw in the page.
 *
 * @example
 * const emulator = await startWorker({ fixtures });
 * const response = await fetch("/rest/users", { headers: { authorization: "Bearer local-token" } });
 */
export async function startWorker<
  const Fixtures = unknown,
  const Given extends CollectionTables = never,
>(
  options: WorkerOptions<Fixtures, Given> = {},
): Promise<BrowserEmulator<TablesOf<Fixtures, Given>>> {
  checkOptions(options, browserOptions, notOfBrowser);
  refuseWithoutPage();
  const { serviceWorker, onUnhandledRequest, onUnhandledFrame, quiet, ...settings } = options;
  if (isTaken)
    throw cannotStart("another worker answers this page. Stop it first: emulator.stop().");
  isTaken = true;
  try {
    const emulator = await createEmulator<Fixtures, Given>(settings);
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

/** Makes an emulator answer a page's requests through msw. */
async function intercept(
  emulator: Pick<Emulator, "core">,
  options: Pick<WorkerOptions, "serviceWorker" | "quiet"> & UnhandledOptions,
): Promise<Pick<BrowserEmulator, "worker" | "stop">> {
  const { setupWorker, handlersIn } = await loadWorkerSetup();
  const stopping = new AbortController();
  const { url = "/mockServiceWorker.js", options: registration } = options.serviceWorker ?? {};
  const { quiet = true } = options;
  const scope = scopeAddress(new URL(url, location.href), registration?.scope);
  const worker = setupWorker(
    ...handlersIn({ signal: stopping.signal, scope, fit: withLateBreak }, emulator),
  );
  // Without service workers, as at an insecure address, msw replaces `fetch` and needs no script.
  if ("serviceWorker" in navigator) {
    await checkMswScript(url, worker);
    await warnOfOther("backlot-worker.js");
  }
  const started = await worker
    .start({
      ...bothUnhandled(options),
      serviceWorker: { url, ...(registration === undefined ? {} : { options: registration }) },
      quiet,
    })
    .catch((cause: unknown) => {
      throw notStarted(url, cause);
    });
  const stop = async (): Promise<void> => {
    stopping.abort();
    await Promise.resolve(worker.stop());
  };
  if (started !== undefined && !location.href.startsWith(started.scope)) {
    await stop();
    throw outOfScope(started.scope, location.href, 'serviceWorker: { options: { scope: "/" } }');
  }
  if (quiet) endCopies(worker);
  return { worker, stop };
}

/** Scripts of older versions keep a copy of every stream, so that a cancelled stream never ends. */
const oldest = [2, 15] as const;

/**
 * Checks msw's script. Msw itself waits for ever for a script that does not answer, and only warns of a script of
 * another version.
 */
function checkMswScript(url: string, worker: SetupWorker): Promise<void> {
  // Only msw 3 has `readyState`. Neither version says which one it is.
  const pageMajor = "readyState" in worker ? 3 : 2;
  return checkWorkerScript({
    url: new URL(url, location.href),
    owner: "msw",
    version: /\bPACKAGE_VERSION\s*=\s*['"](\d+\.\d+\.\d+[^'"]*)['"]/,
    problemOf: (version) => {
      const [major = 0, minor = 0] = version.split(".").map(Number);
      const [oldestMajor, oldestMinor] = oldest;
      if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
        return `is of msw ${version}, older than ${oldest.join(".")}`;
      }
      return major === pageMajor
        ? undefined
        : `is of msw ${version}, but the page has msw ${pageMajor}`;
    },
    remedy:
      "Copy the script of the installed msw: npx backlot init --worker <public folder>. If it is elsewhere, name its address: " +
      'startWorker({ serviceWorker: { url: "/mocks/mockServiceWorker.js" } }).',
  });
}

/**
 * Cancels the copies that the worker makes of each body for listeners, except those of event streams. Otherwise a
 * cancelled body that is sent bit by bit would play on in the copy.
 */
function endCopies(worker: SetupWorker): void {
  worker.events.on("response:mocked", ({ response }) => {
    const isBitByBit = response.headers.get("transfer-encoding") === "chunked";
    if (isBitByBit && !response.bodyUsed) void response.body?.cancel();
  });
}

interface WorkerSetup {
  readonly setupWorker: typeof import("msw/browser").setupWorker;
  readonly handlersIn: typeof import("../../msw/handlers.ts").handlersIn;
}

/** Loads msw's browser part on demand, so that a server that renders the page need not load it. */
async function loadWorkerSetup(): Promise<WorkerSetup> {
  try {
    const [{ setupWorker }, { handlersIn }] = await Promise.all([
      import("msw/browser"),
      import("../../msw/handlers.ts"),
    ]);
    return { setupWorker, handlersIn };
  } catch (cause) {
    throw new EmulatorError(
      "ERR_PACKAGE_MISSING",
      "Cannot start the worker: the package msw could not be loaded. Install it: npm install --save-dev msw.",
      { cause },
    );
  }
}

/** The error for a worker that the browser refuses: because of its scope, or because it has no service workers. */
function notStarted(url: string, cause: unknown): EmulatorError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return cannotStart(
    `msw could not register ${new URL(url, location.href).href}: ${reason} Allow service workers in this ` +
      "browser, and a scope above the script's folder with the header service-worker-allowed.",
    cause,
  );
}
