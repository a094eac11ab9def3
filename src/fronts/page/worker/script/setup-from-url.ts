import { EmulatorError } from "../../../../core/errors/emulator-error.ts";
import { version } from "../../../../core/emulator/version.ts";
import type { EmulatorSetup } from "./messages.ts";

/** Reads the fixtures that the script's address names. */
export async function setupFromUrl(
  path: string,
): Promise<{ readonly text: string; readonly hash: string }> {
  const url = new URL(path, location.href);
  const response = await fetch(url, { cache: "no-cache" });
  const type = response.headers.get("content-type") ?? "";
  if (!response.ok || /^text\/html\b/i.test(type)) {
    const what = response.ok ? "answered with a page of HTML" : `answered with ${response.status}`;
    throw new EmulatorError(
      "ERR_FIXTURES_UNREADABLE",
      `Cannot read the fixtures: ${url.href} is ${what}. Put the document there, or name another: ${location.pathname}?fixtures=/backlot.json.`,
    );
  }
  const setup: EmulatorSetup = { fixtures: await response.json(), settings: {} };
  const text = JSON.stringify(setup);
  return { text, hash: await hashOf(text) };
}

async function hashOf(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(`${version} ${text}`);
  const hash = await crypto.subtle.digest("SHA-256", bytes);
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
