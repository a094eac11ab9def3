import type { Emulator } from "../../core/emulator/emulator.ts";
import { type ServerOptions, startServer } from "./server.ts";

/** What vitest hands to a global setup: a way to tell something to the tests of all files. */
export interface ProvidesUrl {
  readonly provide: (name: "backlot", url: string) => void;
}

/**
 * Makes a global setup of vitest that serves an emulator to the tests of all files while they run, on a free port
 * unless one is given. They find its URL by `inject("backlot")`.
 *
 * @example
 * export default serveTests(await createEmulator({ fixtures: await loadFixtures("fixtures") }));
 */
export function serveTests(
  emulator: Pick<Emulator, "core">,
  options: ServerOptions = {},
): (project: ProvidesUrl) => Promise<() => Promise<void>> {
  return async (project) => {
    const server = await startServer(emulator, { port: 0, ...options });
    project.provide("backlot", server.url);
    return server.close;
  };
}
