import {
  checkOptions,
  type EmulatorSettings,
  type Persistence,
} from "../../../core/fixture-set/settings.ts";
import { version } from "../../../core/emulator/version.ts";
import { connect, type RemoteEmulator } from "../../remote/connect.ts";
import { askWorker } from "./ask-worker.ts";
import { cannotStart, checkWorkerScript } from "../check-script.ts";
import { notOfWorker, workerOptions } from "../options.ts";
import {
  isInstalledWith,
  register,
  registeredAt,
  type RegisteredWorker,
  scopeAddress,
  type WantedWorker,
} from "./register.ts";
import { type EmulatorSetup, setupHash, type StartQuestion } from "./script/messages.ts";
import { forgetStarted, startAgainWhenLost } from "./start-again.ts";

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
  /** Parts of the script that the fixtures do not show a need for: `templates`, `faker`, `regex`. */
  readonly parts?: readonly string[];
}

/** An emulator in a service worker, as a page sees it. */
export interface WorkerEmulator<Fixtures = unknown> extends RemoteEmulator<Fixtures> {
  /**
   * The address of the console, for the state that this page's requests see. Undefined where the worker's scope is not the
   * whole site, for then the console is no page of it.
   */
  readonly console: string | undefined;
  /**
   * Lets the page's requests through again, and breaks off what is being answered. The worker stays for other pages, and
   * keeps what it has.
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
  const setup = setupText({ fixtures, settings });
  const question: StartQuestion = {
    backlot: "start",
    setup,
    hash: await setupHash(setup),
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

/** The session that a page's requests are in. */
function pageSession(persist: Persistence): Pick<StartQuestion, "session" | "isPassing"> {
  if (persist === "origin") return { session: undefined, isPassing: false };
  const made = `${persist === "tab" ? "tab" : "page"}-${crypto.randomUUID().slice(0, 13)}`;
  if (persist === "memory") return { session: made, isPassing: true };
  const session = sessionStorage.getItem(storageKey) ?? made;
  sessionStorage.setItem(storageKey, session);
  return { session, isPassing: false };
}

/** Without a network the script that is installed does. */
function checkOwnScript(url: URL, scope: string | undefined): Promise<void> {
  return checkWorkerScript({
    url,
    owner: "Backlot",
    version: /^\/\* backlot-worker (\S+) \*\//,
    problemOf: (found) =>
      found === version ? undefined : `is of Backlot ${found}, but the page has Backlot ${version}`,
    remedy:
      "Copy the script of the installed package: npx backlot init --worker <public folder>. Where it lies somewhere else, " +
      'name the place: startWorker({ script: "/mocks/backlot-worker.js" }).',
    isInstalled: async () => {
      const active = (await registeredAt(scopeAddress(url, scope)))?.active ?? undefined;
      return active !== undefined && isInstalledWith(active, url, []);
    },
  });
}

/** Puts fixtures and settings into words. Throws `ERR_OPTION_INVALID` where JSON has none. */
function setupText(setup: EmulatorSetup): string {
  try {
    return JSON.stringify(setup);
  } catch (cause) {
    throw cannotStart(
      "the fixtures cannot be written as JSON. Give a document of plain values.",
      cause,
    );
  }
}

/** The parts of the script that a setup needs, by what stands in it: what is loaded in vain costs little, what is missing cannot be loaded later. */
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

/** Starts a worker, another one when that was replaced meanwhile. */
async function startIn(wanted: WantedWorker, question: StartQuestion): Promise<RegisteredWorker> {
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
  { session: id }: Pick<StartQuestion, "session">,
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
      : `browsers have service workers only at https, localhost and 127.0.0.1, and this page is at ${location.origin}. ` +
          "Use one of those, or startWorker of backlot/browser, which does without.",
  );
}

/** A page that was loaded before the worker, or past it, is taken over by it. */
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
