import { version } from "../../../core/emulator/version.ts";

/** The script's address for a version and optional parts: another one is another script, which browsers install. */
export function scriptAddress(script: URL, parts: readonly string[]): URL {
  const url = new URL(script);
  url.searchParams.set("v", version);
  if (parts.length > 0) url.searchParams.set("with", parts.join(","));
  return url;
}

/** The optional parts that a worker was installed with. Undefined: it is another script, or of another version. */
export function installedParts(worker: ServiceWorker, script: URL): readonly string[] | undefined {
  const { origin, pathname, searchParams } = new URL(worker.scriptURL);
  const isOurs = origin === script.origin && pathname === script.pathname;
  if (!isOurs || searchParams.get("v") !== version) return undefined;
  return searchParams.get("with")?.split(",") ?? [];
}

/** Whether a worker is the script, with all these parts. */
// oxlint-disable-next-line max-params
export function isInstalledWith(
  worker: ServiceWorker,
  script: URL,
  parts: readonly string[],
): boolean {
  const there = installedParts(worker, script);
  return there !== undefined && parts.every((part) => there.includes(part));
}

/** The pages that a worker is to answer: by default those below its script's folder. */
export function scopeAddress(script: URL, scope: string | undefined): URL {
  return scope === undefined ? new URL("./", script) : new URL(scope, location.href);
}

/** The workers of a registration, the newest first. */
export function workersOf(registration: ServiceWorkerRegistration): readonly ServiceWorker[] {
  const { installing, waiting, active } = registration;
  return [installing, waiting, active].filter((worker) => worker !== null);
}

/** What is registered for just these pages; undefined: nothing. */
export async function registeredAt(scope: URL): Promise<ServiceWorkerRegistration | undefined> {
  // Of another origin nothing can be.
  const found = await navigator.serviceWorker.getRegistration(scope).catch(() => undefined);
  return found?.scope === scope.href ? found : undefined;
}
