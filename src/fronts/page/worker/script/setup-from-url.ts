import { EmulatorError } from "../../../../core/errors/emulator-error.ts";
import type { EmulatorSetup } from "./messages.ts";

/** A setup with the fixtures that the script's address names, as text. */
export async function setupFromUrl(path: string): Promise<string> {
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
  return JSON.stringify(setup);
}
