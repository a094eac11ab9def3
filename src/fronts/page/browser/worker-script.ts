import type { EmulatorError } from "../../../core/errors/emulator-error.ts";
import { cannotStart } from "../cannot-start.ts";

/** The script that both majors of msw look for when they are not told where it is. */
export const defaultMswScript = "/mockServiceWorker.js";

/** Older scripts keep a copy of every stream, so that one that is cancelled never ends. */
const oldest = [2, 15] as const;

const remedy =
  "Copy the script of the installed msw: npx backlot init --worker <public folder>. Where it lies somewhere else, name the place: " +
  'startWorker({ serviceWorker: { url: "/mocks/mockServiceWorker.js" } }).';

/**
 * Makes sure that a worker script is there, and is msw's and of the page's major version. Msw itself waits for a
 * script that never answers, and only warns of one of another version.
 */
export async function checkMswScript(url: string, pageMajor: number): Promise<void> {
  const version = await versionAt(new URL(url, location.href).href);
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldestMajor, oldestMinor] = oldest;
  if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
    throw refusal(url, `is of msw ${version}, older than ${oldest.join(".")}`);
  }
  if (major !== pageMajor) {
    throw refusal(url, `is of msw ${version}, but the page has msw ${pageMajor}`);
  }
}

/** The version that stands in the script at an address. */
async function versionAt(url: string): Promise<string> {
  // A copy in the browser's cache could be of the version before.
  const response = await fetch(url, { cache: "no-cache" }).catch((cause: unknown) => {
    throw refusal(url, "cannot be loaded", cause);
  });
  if (!response.ok) throw refusal(url, `is answered with status ${response.status}`);
  const text = await response.text();
  const type = response.headers.get("content-type") ?? "";
  if (/^text\/html\b/i.test(type)) {
    throw refusal(url, "is a page of HTML, which servers give for files that they do not have");
  }
  // Browsers refuse to register what is served as anything else.
  if (!/\b(?:java|ecma)script\b/i.test(type)) {
    throw refusal(
      url,
      `is served as ${type === "" ? "no type" : type}, and not as text/javascript`,
    );
  }
  const [, version] = /\bPACKAGE_VERSION\s*=\s*['"](\d+\.\d+\.\d+[^'"]*)['"]/.exec(text) ?? [];
  if (version === undefined) throw refusal(url, "is no worker script of msw");
  return version;
}

function refusal(url: string, what: string, cause?: unknown): EmulatorError {
  return cannotStart(`${new URL(url, location.href).href} ${what}. ${remedy}`, cause);
}
