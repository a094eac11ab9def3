import type { EmulatorSettings } from "../emulator/options.ts";
import { EmulatorError, type EmulatorErrorCode } from "../errors/emulator-error.ts";
import { connect, type RemoteEmulator } from "../remote/connect.ts";
import { version } from "../version.ts";
import { cannotStart } from "./cannot-start.ts";
import { pageSession, type PageSession, type Persistence } from "./page-session.ts";
import { register } from "./register.ts";
import type { WorkerAnswer, WorkerQuestion } from "./script/messages.ts";
import { sentSetup } from "./worker-setup.ts";
import { checkWorkerScript, defaultScript } from "./worker-script.ts";

/** What `startWorker` takes: fixtures and settings of the emulator, and how long its state lasts. */
export interface WorkerOptions<Fixtures = unknown> extends EmulatorSettings {
  /** A fixture document. Default: no tables, models or scripts. */
  readonly fixtures?: Fixtures;
  /** How long what requests change lasts, and for whom. Default `origin`. */
  readonly persist?: Persistence;
  /** Where the worker's script lies. Default `/backlot-worker.js`. */
  readonly script?: string;
  /** The pages that the worker may answer. Default: those below the script's folder. */
  readonly scope?: string;
  /** Parts of the script that the fixtures do not show a need for: `templates`, `faker`. */
  readonly parts?: readonly string[];
}

/** An emulator in a service worker, as a page sees it. */
export interface WorkerEmulator<Fixtures = unknown> extends RemoteEmulator<Fixtures> {
  /** The address of the console, for the state that this page's requests see. */
  readonly console: string;
  /** Lets the page's requests through again. The worker stays for other pages, and keeps what it has. */
  readonly stop: () => Promise<void>;
}

/**
 * Has our own service worker answer what the page requests. Resolves once requests get to it. Rejects with an
 * `EmulatorError` when fixtures or options are wrong, or the worker's script is not there or of another version.
 *
 * @example
 * const { tables, reset } = await startWorker({ fixtures, persist: "tab" });
 * const response = await fetch("/rest/users", { headers: { authorization: "Bearer local-token" } });
 */
export async function startWorker<const Fixtures = unknown>(
  options: WorkerOptions<Fixtures> = {},
): Promise<WorkerEmulator<Fixtures>> {
  const {
    fixtures,
    persist = "origin",
    script = defaultScript,
    scope,
    parts,
    ...settings
  } = options;
  refuseInsecure();
  const session = pageSession(persist);
  const url = new URL(script, location.href);
  await checkWorkerScript(url);
  const setup = await sentSetup({ fixtures, settings }, parts ?? []);
  // Another version is another script, so that the one before is not taken for it.
  url.searchParams.set("v", version);
  if (setup.parts.length > 0) url.searchParams.set("with", setup.parts.join(","));
  const worker = await register(url, scope);
  await ask(worker, {
    backlot: "start",
    setup: setup.text,
    hash: setup.hash,
    session: session.id,
    isPassing: session.isPassing,
  });
  await isControlledBy(worker);
  return emulatorIn<Fixtures>(worker, session, settings.controlToken);
}

function emulatorIn<Fixtures>(
  worker: ServiceWorker,
  { id }: PageSession,
  controlToken: string | undefined,
): WorkerEmulator<Fixtures> {
  const { origin } = location;
  const all = connect<Fixtures>(origin, controlToken === undefined ? {} : { controlToken });
  const own = id === undefined ? all : all.session(id);
  return {
    ...all,
    ...own,
    session: all.session,
    console: `${own.url}/__backlot/`,
    stop: () => ask(worker, { backlot: "stop" }),
  };
}

function refuseInsecure(): void {
  if ("serviceWorker" in navigator) return;
  throw cannotStart(
    isSecureContext
      ? "this browser has no service workers here, as in some private windows."
      : `browsers have service workers only at https, localhost and 127.0.0.1, and this page is at ${location.origin}. ` +
          "Use one of those, or startWorker of backlot/browser, which does without.",
  );
}

/** Asks the worker something, and waits until it is done. */
async function ask(worker: ServiceWorker, question: WorkerQuestion): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  const answer = await new Promise<WorkerAnswer>((resolve) => {
    port1.addEventListener("message", ({ data }) => resolve(data), { once: true });
    port1.start();
    worker.postMessage(question, [port2]);
  });
  port1.close();
  if (answer.ok) return;
  const { code, message, problems } = answer;
  if (code === undefined) throw new Error(`The worker failed: ${message}`);
  // The code is one of ours: the worker is of the same version.
  throw new EmulatorError(code as EmulatorErrorCode, message, { problems });
}

/** A page that was loaded before the worker, or past it, is taken over by it. */
async function isControlledBy(worker: ServiceWorker): Promise<void> {
  const { serviceWorker } = navigator;
  while (serviceWorker.controller?.scriptURL !== worker.scriptURL) {
    await new Promise((resolve) => {
      serviceWorker.addEventListener("controllerchange", resolve, { once: true });
    });
  }
}
