import { type EmulatorError, invalidOption } from "../../core/errors/emulator-error.ts";

/** The error for a worker that cannot start: why, and what to do. */
export function cannotStart(why: string, cause?: unknown): EmulatorError {
  const message = `Cannot start the worker: ${why}`;
  return invalidOption(message, cause);
}

/** Throws if there is no page, as when a site is rendered on a server. */
export function refuseWithoutPage(): void {
  if ("document" in globalThis) return;
  throw cannotStart(
    "there is no page, because this code does not run in a browser. Call startWorker only there. In Node, use " +
      "handlers of backlot/msw, or startServer of backlot/node.",
  );
}

/** The error for a worker whose scope does not include this page. With `options`, the worker would answer all pages. */
export function outOfScope(scope: string, page: string, options: string): EmulatorError {
  return cannotStart(
    `it answers pages below ${scope}, but this one is ${page}. Put the script into the folder that the site's ` +
      "root is served from, or have it served with the header service-worker-allowed and give the scope: " +
      `startWorker({ ${options} }).`,
  );
}

/** A required worker script. */
export interface WantedScript {
  readonly url: URL;
  /** The script's package, for messages. */
  readonly owner: string;
  /** Finds the version in its text. */
  readonly version: RegExp;
  /** The problem of a script with this version; undefined: none. */
  readonly problemOf: (version: string) => string | undefined;
  /** What to do if the script is missing. */
  readonly remedy: string;
  /** Whether an installed worker can be used if the script cannot be loaded. */
  readonly isInstalled?: () => Promise<boolean>;
}

/**
 * Makes sure that a worker script exists in the right version: a browser reports no reason, and msw waits for ever for
 * a script that does not answer.
 */
export async function checkWorkerScript({
  url,
  isInstalled,
  ...wanted
}: WantedScript): Promise<void> {
  const refusal = (what: string, cause?: unknown): EmulatorError =>
    cannotStart(`${url.href} ${what}. ${wanted.remedy}`, cause);
  // A copy in the browser's cache may be outdated.
  const response = await fetch(url, { cache: "no-cache" }).catch(async (cause: unknown) => {
    if (await isInstalled?.()) return undefined;
    throw refusal("cannot be loaded", cause);
  });
  if (response === undefined) return;
  if (!response.ok) throw refusal(`is answered with status ${response.status}`);
  const type = response.headers.get("content-type") ?? "";
  if (/^text\/html\b/i.test(type)) {
    throw refusal("is an HTML page, which servers send for missing files");
  }
  // Browsers refuse to register a script with another type.
  if (!/\b(?:java|ecma)script\b/i.test(type)) {
    throw refusal(`is served as ${type === "" ? "no type" : type}, instead of text/javascript`);
  }
  const [, version] = wanted.version.exec(await response.text()) ?? [];
  if (version === undefined) throw refusal(`is not a worker script of ${wanted.owner}`);
  const problem = wanted.problemOf(version);
  if (problem !== undefined) throw refusal(problem);
}

/** The scripts that answer for an emulator: msw's, and our own. */
type ScriptName = "mockServiceWorker.js" | "backlot-worker.js";

/**
 * Warns when pages of this origin also have the other kind of worker: if both have the same scope, each replaces the
 * other.
 */
export async function warnOfOther(other: ScriptName): Promise<void> {
  for (const { scope, active } of await navigator.serviceWorker.getRegistrations()) {
    if (active === null || !new URL(active.scriptURL).pathname.endsWith(`/${other}`)) continue;
    const what = `another page has registered ${active.scriptURL} for ${scope}`;
    const why = "A page has one worker, so the one that is started later answers instead of it.";
    const remedy =
      "Start the same kind everywhere, and unregister the other in the browser's tools.";
    // The page can go on, and its console is where a developer sees this.
    // oxlint-disable-next-line no-console
    console.warn(`backlot: ${what}. ${why} ${remedy}`);
  }
}
