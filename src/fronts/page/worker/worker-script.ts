import type { EmulatorError } from "../../../core/errors/emulator-error.ts";
import { version } from "../../../core/emulator/version.ts";
import { cannotStart } from "../cannot-start.ts";
import { isInstalledWith, registeredAt, scopeAddress } from "./script-address.ts";

/** Where `backlot init --worker public` puts it. */
export const defaultScript = "/backlot-worker.js";

const remedy =
  "Copy the script of the installed package: npx backlot init --worker <public folder>. Where it lies somewhere else, " +
  'name the place: startWorker({ script: "/mocks/backlot-worker.js" }).';

/**
 * Makes sure that our worker script is there, and is of the page's version: a browser only says that it failed. Without a
 * network the one that is installed does.
 */
export async function checkWorkerScript(url: URL, scope: string | undefined): Promise<void> {
  // A copy in the browser's cache could be of the version before.
  const response = await fetch(url, { cache: "no-cache" }).catch(async (cause: unknown) => {
    if (await isInstalled(url, scope)) return undefined;
    throw refusal(url, "cannot be loaded", cause);
  });
  if (response === undefined) return;
  if (!response.ok) throw refusal(url, `is answered with status ${response.status}`);
  const type = response.headers.get("content-type") ?? "";
  if (/^text\/html\b/i.test(type)) {
    throw refusal(url, "is a page of HTML, which servers give for files that they do not have");
  }
  const [, found] = /^\/\* backlot-worker (\S+) \*\//.exec(await response.text()) ?? [];
  if (found === undefined) throw refusal(url, "is no worker script of Backlot");
  if (found !== version) {
    throw refusal(url, `is of Backlot ${found}, but the page has Backlot ${version}`);
  }
}

async function isInstalled(url: URL, scope: string | undefined): Promise<boolean> {
  const { active } = (await registeredAt(scopeAddress(url, scope))) ?? {};
  return active !== undefined && active !== null && isInstalledWith(active, url, []);
}

function refusal(url: URL, what: string, cause?: unknown): EmulatorError {
  return cannotStart(`${url.href} ${what}. ${remedy}`, cause);
}
