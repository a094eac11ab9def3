import {
  checkOptions,
  type EmulatorSettings,
  type Persistence,
} from "../../../core/settings/settings.ts";
import { version } from "../../../core/emulator/version.ts";
import { connect, type RemoteEmulator } from "../../remote/connect.ts";
import { askWorker } from "./ask-worker.ts";
import { cannotStart, checkWorkerScript, warnOfOther } from "../check-script.ts";
import { notOfWorker, workerOptions } from "../options.ts";
import {
  isInstalledWith,
  register,
  registeredAt,
  type RegisteredWorker,
  scopeAddress,
  type WantedWorker,
} from "./register.ts";
import type { EmulatorSetup, StartMessage } from "./script/messages.ts";
import { forgetStarted, startAgainWhenLost } from "./start-again.ts";

/** The options of `startWorker`: fixtures and settings of the emulator, and how long its state lasts. */
export interface WorkerOptions<Fixtures = unknown> extends EmulatorSettings {
  /** A fixture document. Default: no tables, models or scripts. */
  readonly fixtures?: Fixtures;
  /** How long changes by requests last, and for whom. Default: `origin`. */
  readonly persist?: Persistence;
  /** The address of the worker's script. Default: `/backlot-worker.js`. */
  readonly script?: string;
  /** The pages that the worker may answer. Default: those below the script's folder. */
  readonly scope?: string;
  /**
   * Parts of the script that the fixtures do not show a need for: `templates`, `faker`, `regex`; and `control`, `more`,
   * which are otherwise fetched when they are first needed.
   */
  readonly parts?: readonly string[];
}

/** An emulator in a service worker, as a page sees it. */
export interface WorkerEmulator<Fixtures = unknown> extends RemoteEmulator<Fixtures> {
  /**
   * The address of the console for this page's state. Undefined if the worker's scope is not the whole site, since it
   * then does not answer for the console.
   */
  readonly console: string | undefined;
  /**
   * Stops answering the page's requests, and breaks off current answers. The worker stays for other pages, and keeps
   * its state.
   */
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
  checkOptions(options, workerOptions, notOfWorker);
  const {
    fixtures,
    persist = "origin",
    script: path = "/backlot-worker.js",
    scope,
    parts: asked = [],
    ...settings
  } = options;
  refuseInsecure();
  const session = pageSession(persist);
  const script = new URL(path, location.href);
  await checkOwnScript(script, scope);
  await warnOfOther("mockServiceWorker.js");
  const setup = setupText({ fixtures, settings });
  const question: StartMessage = {
    backlot: "start",
    setup,
    ...session,
    since: Date.now(),
    isAgain: false,
  };
  const parts = new Set([...asked, ...partsFor(setup)]);
  const registered = await startIn({ script, scope, parts: [...parts] }, question);
  return emulatorIn<Fixtures>(registered, session, settings.controlToken);
}

/** Where a tab keeps the name of its session. */
const storageKey = "backlot session";

/** The session of a page's requests. */
function pageSession(persist: Persistence): Pick<StartMessage, "session" | "isPassing"> {
  if (persist === "origin") return { session: undefined, isPassing: false };
  const made = `${persist === "tab" ? "tab" : "page"}-${crypto.randomUUID().slice(0, 13)}`;
  if (persist === "memory") return { session: made, isPassing: true };
  const session = sessionStorage.getItem(storageKey) ?? made;
  sessionStorage.setItem(storageKey, session);
  return { session, isPassing: false };
}

/** Without a network the installed script will do. */
function checkOwnScript(url: URL, scope: string | undefined): Promise<void> {
  return checkWorkerScript({
    url,
    owner: "Backlot",
    version: /^\/\* backlot-worker (\S+) \*\//,
    problemOf: (found) =>
      found === version ? undefined : `is of Backlot ${found}, but the page has Backlot ${version}`,
    remedy:
      "Copy the script of the installed package: npx backlot init --worker <public folder>. If it is elsewhere, " +
      'name its address: startWorker({ script: "/mocks/backlot-worker.js" }).',
    isInstalled: async () => {
      const active = (await registeredAt(scopeAddress(url, scope)))?.active ?? undefined;
      return active !== undefined && isInstalledWith(active, url, []);
    },
  });
}

/** The text of fixtures and settings. Throws `ERR_OPTION_INVALID` for values that JSON cannot express. */
function setupText(setup: EmulatorSetup): string {
  try {
    return JSON.stringify(setup);
  } catch (cause) {
    throw cannotStart(
      "the fixtures cannot be expressed as JSON. Give a document of plain values.",
      cause,
    );
  }
}

/**
 * The parts of the script that a setup needs, judged by its text: a superfluous part costs little, a missing one
 * cannot be loaded later.
 */
function partsFor(text: string): readonly string[] {
  const hasTemplates = /\{\{|\{%/.test(text);
  const hasFaker = hasTemplates && text.includes("faker");
  const hasRegex = text.includes('"regex":');
  return [
    ...(hasTemplates ? ["templates"] : []),
    ...(hasFaker ? ["faker"] : []),
    ...(hasRegex ? ["regex"] : []),
  ];
}

/** Starts a worker, and another one if that was replaced meanwhile. */
async function startIn(wanted: WantedWorker, question: StartMessage): Promise<RegisteredWorker> {
  for (;;) {
    const registered = await register(wanted);
    const { worker } = registered;
    if (!(await askWorker(worker, question))) continue;
    await isControlledBy(worker, wanted);
    startAgainWhenLost(worker, question);
    return registered;
  }
}

function emulatorIn<Fixtures>(
  { registration, worker }: RegisteredWorker,
  { session: id }: Pick<StartMessage, "session">,
  controlToken: string | undefined,
): WorkerEmulator<Fixtures> {
  const { origin } = location;
  const all = connect<Fixtures>(origin, controlToken === undefined ? {} : { controlToken });
  const own = id === undefined ? all : all.session(id);
  return {
    ...all,
    ...own,
    session: all.session,
    console: registration.scope === `${origin}/` ? `${own.url}/__backlot/` : undefined,
    stop: async () => {
      forgetStarted();
      await askWorker(registration.active ?? worker, { backlot: "stop" });
    },
  };
}

function refuseInsecure(): void {
  if ("serviceWorker" in navigator) return;
  throw cannotStart(
    isSecureContext
      ? "this browser has no service workers here, as in some private windows."
      : `browsers allow service workers only at https, localhost and 127.0.0.1, but this page is at ${location.origin}. ` +
          "Use one of those, or startWorker of backlot/browser, which does without.",
  );
}

/** Takes over a page that was loaded before the worker, or without it. */
async function isControlledBy(
  worker: ServiceWorker,
  { script, parts }: WantedWorker,
): Promise<void> {
  const { serviceWorker } = navigator;
  const isOurs = (one: ServiceWorker | null): boolean =>
    one !== null && (one.scriptURL === worker.scriptURL || isInstalledWith(one, script, parts));
  while (!isOurs(serviceWorker.controller)) {
    await new Promise((resolve) => {
      serviceWorker.addEventListener("controllerchange", resolve, { once: true });
    });
  }
}
