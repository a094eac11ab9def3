import { version } from "../../../core/emulator/version.ts";
import { askWorker } from "./ask-worker.ts";
import {
  cannotStart,
  outOfScope,
  checkWorkerScript,
  refuseWithoutPage,
  warnOfOther,
} from "../check-script.ts";
import { checkOptions, type EmulatorSettings } from "../../../core/settings/settings.ts";
import { connectThrough, type RemoteEmulator } from "../../remote/connect.ts";
import { notOfWorker, workerOptions } from "../options.ts";
import type { Persistence } from "../persistence.ts";
import { scopeAddress } from "../scope.ts";
import type { EmulatorSetup, StartMessage } from "./script/messages.ts";
import { forgetStarted, startAgainWhenLost } from "./start-again.ts";

/** The worker that a page needs. */
export interface WantedWorker {
  /** The script's address, as the options name it. */
  readonly script: URL;
  readonly scope: string | undefined;
  /** The optional parts of the script. */
  readonly parts: readonly string[];
}

/** A running worker. */
export interface RegisteredWorker {
  readonly registration: ServiceWorkerRegistration;
  readonly worker: ServiceWorker;
}

/**
 * Registers the script and waits until it runs. It includes the requested parts, and those of an existing worker with
 * the same scope, which other pages need. Rejects with an `EmulatorError` that says what to do.
 */
async function register(wanted: WantedWorker): Promise<RegisteredWorker> {
  let waitsInVain = false;
  for (;;) {
    const registration = await registerAt(await addressFor(wanted, waitsInVain), wanted);
    const worker = await runningWorker(registration, wanted.script);
    if (worker !== undefined) return { registration, worker };
    if (registration.waiting !== null && !waitsInVain) tellOfWaiting();
    waitsInVain = registration.waiting !== null;
  }
}

/**
 * The address to register. A worker that waits in vain must be installed again, so the address then gets another
 * attempt number.
 */
async function addressFor(
  { script, scope, parts }: WantedWorker,
  waitsInVain: boolean,
): Promise<URL> {
  const there = await registeredAt(scopeAddress(script, scope));
  const installed = there === undefined ? [] : workersOf(there);
  const all = [...parts, ...installed.flatMap((worker) => installedParts(worker, script) ?? [])];
  const [newest] = installed;
  const attempt =
    newest !== undefined && isInstalledWith(newest, script, all) ? attemptOf(newest) : 0;
  return scriptAddress(script, [...new Set(all)].toSorted(), waitsInVain ? attempt + 1 : attempt);
}

async function registerAt(
  address: URL,
  { script, scope }: WantedWorker,
): Promise<ServiceWorkerRegistration> {
  const options = { updateViaCache: "none", ...(scope === undefined ? {} : { scope }) } as const;
  const registration = await navigator.serviceWorker
    .register(address, options)
    .catch((cause: unknown) => {
      throw notRegistered(script, scope, cause);
    });
  if (location.href.startsWith(registration.scope)) return registration;
  throw outOfScope(registration.scope, location.href, 'scope: "/"');
}

/** The newest worker, once it runs. Undefined if another worker has replaced it in the meantime, or must replace it. */
async function runningWorker(
  registration: ServiceWorkerRegistration,
  script: URL,
): Promise<ServiceWorker | undefined> {
  const [worker, ...before] = workersOf(registration);
  if (worker === undefined) {
    throw cannotStart("it was removed during its installation. Reload the page.");
  }
  if (await isActivated(worker, registration)) return worker;
  const { waiting } = registration;
  const isReplaced = workersOf(registration).some((other) => !before.includes(other));
  if (waiting === worker || isReplaced) return undefined;
  const folder = new URL("backlot-worker/", script);
  throw cannotStart(
    `it could not be installed. Its parts must be at ${folder.href}: npx backlot init --worker <public folder>.`,
  );
}

/** After so many milliseconds, two workers are asked to change places, and the waiting one is given up. */
const askAfter = 250;
const giveUpAfter = 3_000;

/**
 * Resolves with true when a worker is activated. Resolves with false when it never will be, or when it waits in vain
 * for the active one to end.
 */
async function isActivated(
  worker: ServiceWorker,
  registration: ServiceWorkerRegistration,
): Promise<boolean> {
  const settled = stateOf(worker, ["activated", "redundant"]);
  await stateOf(worker, ["installed", "activating", "activated", "redundant"]);
  await Promise.race([settled, pause(askAfter)]);
  const { active } = registration;
  if (active !== null && worker.state === "installed") {
    void changePlaces(active, worker);
    await Promise.race([settled, pause(giveUpAfter)]);
    if (worker.state === "installed") return false;
  }
  return (await settled) === "activated";
}

/** Resolves when a worker is in one of these states. */
function stateOf(
  worker: ServiceWorker,
  states: readonly ServiceWorkerState[],
): Promise<ServiceWorkerState> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (states.includes(worker.state)) resolve(worker.state);
    };
    worker.addEventListener("statechange", look);
    look();
  });
}

/**
 * Makes the waiting worker replace the active one. A browser does that when the active worker is idle, but a stream can
 * last for minutes. Chromium only tries when the new worker is installed, and when it calls skipWaiting for the first
 * time after that. Both attempts fail if the old worker gets a request while it ends, and each message to it counts as
 * one, so it is asked only once.
 */
async function changePlaces(before: ServiceWorker, waiting: ServiceWorker): Promise<void> {
  try {
    await askWorker(before, { backlot: "yield" });
    await askWorker(waiting, { backlot: "replace" });
  } catch {
    // One of the workers is gone or of another version. The waiting one is given up.
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}

function tellOfWaiting(): void {
  // Without a message, the long wait would look like a fault.
  // oxlint-disable-next-line no-console
  console.info("backlot: the new worker waits until the old one has answered all tabs.");
}

function notRegistered(script: URL, scope: string | undefined, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const isScope = scope !== undefined && reason.includes("max scope");
  const remedy = isScope
    ? `Put the script higher up, or have it served with the header service-worker-allowed: ${scope}`
    : "Allow service workers in this browser, and serve the script as JavaScript.";
  return cannotStart(`${script.href} cannot be registered: ${reason} ${remedy}`, cause);
}

/** The script's address for a version and its optional parts. Browsers treat each address as another script. */
function scriptAddress(script: URL, parts: readonly string[], attempt: number): URL {
  const url = new URL(script);
  url.searchParams.set("v", version);
  if (parts.length > 0) url.searchParams.set("with", parts.join(","));
  if (attempt > 0) url.searchParams.set("attempt", String(attempt));
  return url;
}

/** The optional parts of an installed worker. Undefined for another script or another version. */
function installedParts(worker: ServiceWorker, script: URL): readonly string[] | undefined {
  const { origin, pathname, searchParams } = new URL(worker.scriptURL);
  const isOurs = origin === script.origin && pathname === script.pathname;
  if (!isOurs || searchParams.get("v") !== version) return undefined;
  return searchParams.get("with")?.split(",") ?? [];
}

function attemptOf({ scriptURL }: ServiceWorker): number {
  return Number(new URL(scriptURL).searchParams.get("attempt") ?? 0);
}

/** Whether a worker runs this script with all these parts. */
function isInstalledWith(worker: ServiceWorker, script: URL, parts: readonly string[]): boolean {
  const there = installedParts(worker, script);
  return there !== undefined && parts.every((part) => there.includes(part));
}

/** The workers of a registration, newest first. */
function workersOf(registration: ServiceWorkerRegistration): readonly ServiceWorker[] {
  const { installing, waiting, active } = registration;
  return [installing, waiting, active].filter((worker) => worker !== null);
}

/** The registration with exactly this scope; undefined: none. */
async function registeredAt(scope: URL): Promise<ServiceWorkerRegistration | undefined> {
  // A scope of another origin has no registration.
  const found = await navigator.serviceWorker.getRegistration(scope).catch(() => undefined);
  return found?.scope === scope.href ? found : undefined;
}

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
   * Parts of the script that cannot be seen from the fixtures: `templates`, `faker`; and `control`, `more`, which are
   * otherwise fetched when they are first needed.
   */
  readonly parts?: readonly string[];
}

/** An emulator in a service worker, as a page sees it. */
export interface WorkerEmulator<Fixtures = unknown> extends RemoteEmulator<Fixtures> {
  /** The address of the console for this page's state, below the worker's scope. */
  readonly console: string;
  /**
   * Stops answering the page's requests, and breaks off answers in progress. The worker stays for other pages, and
   * keeps its state.
   */
  readonly stop: () => Promise<void>;
}

/**
 * Makes Backlot's own service worker answer the page's requests. Resolves once it gets them. Rejects with an
 * `EmulatorError` when fixtures or options are wrong, or when the worker's script is missing or of another version.
 *
 * @example
 * const { tables, reset } = await startWorker({ fixtures, persist: "tab" });
 * const response = await fetch("/rest/users", { headers: { authorization: "Bearer local-token" } });
 */
export async function startWorker<const Fixtures = unknown>(
  options: WorkerOptions<Fixtures> = {},
): Promise<WorkerEmulator<Fixtures>> {
  checkOptions(options, workerOptions, notOfWorker);
  refuseWithoutPage();
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

/** Checks the worker's script. Without a network, the installed script is used. */
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

/** Fixtures and settings as text. Throws `ERR_OPTION_INVALID` for values that JSON cannot express. */
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
 * The parts of the script that a setup needs, judged by its text. An unneeded part costs little, but a missing one
 * cannot be loaded later.
 */
function partsFor(text: string): readonly string[] {
  const hasTemplates = /\{\{|\{%/.test(text);
  const hasFaker = hasTemplates && text.includes("faker");
  return [...(hasTemplates ? ["templates"] : []), ...(hasFaker ? ["faker"] : [])];
}

/** Starts a worker. If it is replaced in the meantime, starts the next one. */
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
  const options = controlToken === undefined ? {} : { controlToken };
  const all = connectThrough<Fixtures>((input, init) => fetch(input, init), origin, options);
  const own = id === undefined ? all : all.session(id);
  return {
    ...all,
    ...own,
    session: all.session,
    console: own.url.replace(origin, registration.scope.slice(0, -1)) + "/__backlot/",
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

/** Waits until the worker controls the page, which may have been loaded before the worker or without it. */
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
