import { EmulatorError } from "../../core/errors/emulator-error.ts";

/** Why there is no worker, and what to do. */
export function cannotStart(why: string, cause?: unknown): EmulatorError {
  const message = `Cannot start the worker: ${why}`;
  return new EmulatorError("ERR_OPTION_INVALID", message, { cause });
}

/** Why a worker is of no use that answers other pages than this one; `options` would have it answer all. */
export function outOfScope(scope: string, page: string, options: string): EmulatorError {
  return cannotStart(
    `it answers pages below ${scope}, and this one is ${page}. Put the script into the folder that the site's ` +
      "root is served from, or have it served with the header service-worker-allowed and give the scope: " +
      `startWorker({ ${options} }).`,
  );
}

/** A worker script that has to be there. */
export interface WantedScript {
  readonly url: URL;
  /** Whose script it is, for messages. */
  readonly owner: string;
  /** Finds the version in its text. */
  readonly version: RegExp;
  /** What is wrong with a script of a version; undefined: nothing. */
  readonly problemOf: (version: string) => string | undefined;
  /** What to do where it is not there. */
  readonly remedy: string;
  /** Whether it may be left to the worker that is installed when nothing answers. */
  readonly isInstalled?: () => Promise<boolean>;
}

/**
 * Makes sure that a worker script is there and of the version that is needed. A browser only says that it failed, and msw
 * waits for a script that never answers.
 */
export async function checkWorkerScript({
  url,
  isInstalled,
  ...wanted
}: WantedScript): Promise<void> {
  const refusal = (what: string, cause?: unknown): EmulatorError =>
    cannotStart(`${url.href} ${what}. ${wanted.remedy}`, cause);
  // A copy in the browser's cache could be of the version before.
  const response = await fetch(url, { cache: "no-cache" }).catch(async (cause: unknown) => {
    if (await isInstalled?.()) return undefined;
    throw refusal("cannot be loaded", cause);
  });
  if (response === undefined) return;
  if (!response.ok) throw refusal(`is answered with status ${response.status}`);
  const type = response.headers.get("content-type") ?? "";
  if (/^text\/html\b/i.test(type)) {
    throw refusal("is a page of HTML, which servers give for files that they do not have");
  }
  // Browsers refuse to register what is served as anything else.
  if (!/\b(?:java|ecma)script\b/i.test(type)) {
    throw refusal(`is served as ${type === "" ? "no type" : type}, and not as text/javascript`);
  }
  const [, version] = wanted.version.exec(await response.text()) ?? [];
  if (version === undefined) throw refusal(`is no worker script of ${wanted.owner}`);
  const problem = wanted.problemOf(version);
  if (problem !== undefined) throw refusal(problem);
}
