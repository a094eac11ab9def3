import { EmulatorError } from "../../../../core/errors/emulator-error.ts";
import { type EmulatorSetup, setupHash } from "./messages.ts";

/** Reads the fixtures that the script's address names. */
export async function setupFromUrl(
  path: string,
): Promise<{ readonly text: string; readonly hash: string }> {
  const url = new URL(path, location.href);
  const response = await fetch(url, { cache: "no-cache" });
  const type = response.headers.get("content-type") ?? "";
  if (!response.ok || /^text\/html\b/i.test(type)) {
    const what = response.ok ? "answered with an HTML page" : `answered with ${response.status}`;
    throw new EmulatorError(
      "ERR_FIXTURES_UNREADABLE",
      `Cannot read the fixtures: ${url.href} is ${what}. Put the document there, or name another: ${location.pathname}?fixtures=/backlot.json.`,
    );
  }
  const setup: EmulatorSetup = { fixtures: await response.json(), settings: {} };
  const text = JSON.stringify(setup);
  return { text, hash: await setupHash(text) };
}
