import { version } from "../../../core/emulator/version.ts";
import { askWorker } from "./ask-worker.ts";
import { cannotStart, outOfScope } from "../check-script.ts";
/** What a page needs of a worker. */
export interface WantedWorker {
  /** As the options name them. */
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
 * Registers the script, and waits until it runs. It gets the requested parts, and those that an existing worker of
 * these pages has, since other pages need them. Rejects with an `EmulatorError` that says what to do.
 */
export async function register(wanted: WantedWorker): Promise<RegisteredWorker> {
  for (;;) {
    const registration = await registerWith(await partsFor(wanted), wanted);
    const worker = await runningWorker(registration, wanted.script);
    if (worker !== undefined) return { registration, worker };
  }
}

async function partsFor({ script, scope, parts }: WantedWorker): Promise<readonly string[]> {
  const there = await registeredAt(scopeAddress(script, scope));
  const installed = there === undefined ? [] : workersOf(there);
  const all = [...parts, ...installed.flatMap((worker) => installedParts(worker, script) ?? [])];
  return [...new Set(all)].toSorted();
}

async function registerWith(
  parts: readonly string[],
  { script, scope }: WantedWorker,
): Promise<ServiceWorkerRegistration> {
  const options = { updateViaCache: "none", ...(scope === undefined ? {} : { scope }) } as const;
  const registration = await navigator.serviceWorker
    .register(scriptAddress(script, parts), options)
    .catch((cause: unknown) => {
      throw notRegistered(script, scope, cause);
    });
  if (location.href.startsWith(registration.scope)) return registration;
  throw outOfScope(registration.scope, location.href, 'scope: "/"');
}

/** The newest worker, once it runs. Undefined: another page has replaced it meanwhile. */
async function runningWorker(
  registration: ServiceWorkerRegistration,
  script: URL,
): Promise<ServiceWorker | undefined> {
  const [worker, ...before] = workersOf(registration);
  if (worker === undefined) {
    throw cannotStart("it was removed during its installation. Reload the page.");
  }
  if (await isActivated(worker, registration)) return worker;
  if (workersOf(registration).some((other) => !before.includes(other))) return undefined;
  const folder = new URL("backlot-worker/", script);
  throw cannotStart(
    `it could not be installed. Its parts must be at ${folder.href}: npx backlot init --worker <public folder>.`,
  );
}

/** Milliseconds between requests to two workers to swap, and before the user is told. */
const pressEvery = 250;
const tellAfter = 12;

/** Waits until a worker is activated, or never will be. */
async function isActivated(
  worker: ServiceWorker,
  registration: ServiceWorkerRegistration,
): Promise<boolean> {
  let times = 0;
  const pressing = setInterval(() => {
    const { active } = registration;
    if (worker.state !== "installed" || active === null) return;
    times += 1;
    if (times === tellAfter) tellOfWaiting();
    void changePlaces(active, worker);
  }, pressEvery);
  try {
    return await new Promise((resolve) => {
      const look = (): void => {
        if (worker.state === "activated") resolve(true);
        if (worker.state === "redundant") resolve(false);
      };
      worker.addEventListener("statechange", look);
      look();
    });
  } finally {
    clearInterval(pressing);
  }
}

/**
 * A worker is replaced when it is idle, but a stream can last for minutes. Chromium checks that when the new worker
 * calls skipWaiting; if a request was active at that moment, not again for half a minute.
 */
async function changePlaces(before: ServiceWorker, waiting: ServiceWorker): Promise<void> {
  try {
    await askWorker(before, { backlot: "yield" });
    await askWorker(waiting, { backlot: "replace" });
  } catch {
    // One of them is gone, or of another version: ask again.
  }
}

function tellOfWaiting(): void {
  // What takes long without a word looks broken.
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

/** The script's address for a version and optional parts. Browsers install each address as a script of its own. */
function scriptAddress(script: URL, parts: readonly string[]): URL {
  const url = new URL(script);
  url.searchParams.set("v", version);
  if (parts.length > 0) url.searchParams.set("with", parts.join(","));
  return url;
}

/** The optional parts of an installed worker. Undefined: it is another script, or of another version. */
function installedParts(worker: ServiceWorker, script: URL): readonly string[] | undefined {
  const { origin, pathname, searchParams } = new URL(worker.scriptURL);
  const isOurs = origin === script.origin && pathname === script.pathname;
  if (!isOurs || searchParams.get("v") !== version) return undefined;
  return searchParams.get("with")?.split(",") ?? [];
}

/** Whether a worker is the script, with all these parts. */
export function isInstalledWith(
  worker: ServiceWorker,
  script: URL,
  parts: readonly string[],
): boolean {
  const there = installedParts(worker, script);
  return there !== undefined && parts.every((part) => there.includes(part));
}

/** The pages that a worker answers: by default those below its script's folder. */
export function scopeAddress(script: URL, scope: string | undefined): URL {
  return scope === undefined ? new URL("./", script) : new URL(scope, location.href);
}

/** The workers of a registration, newest first. */
function workersOf(registration: ServiceWorkerRegistration): readonly ServiceWorker[] {
  const { installing, waiting, active } = registration;
  return [installing, waiting, active].filter((worker) => worker !== null);
}

/** The registration of exactly these pages; undefined: none. */
export async function registeredAt(scope: URL): Promise<ServiceWorkerRegistration | undefined> {
  // None for another origin.
  const found = await navigator.serviceWorker.getRegistration(scope).catch(() => undefined);
  return found?.scope === scope.href ? found : undefined;
}
