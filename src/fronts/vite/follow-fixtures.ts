import type { ErrorPayload, HotChannelClient, HotPayload, ViteDevServer } from "vite";
import { visibleLines, visibleText } from "../../core/errors/visible-text.ts";
import { watchFixtures } from "../node/watch-fixtures.ts";
import type { FixturePlace } from "../node/fixture-place.ts";
import {
  failedEvent,
  type FixtureUpdate,
  type PageFailure,
  pageModuleId,
  updateEvent,
} from "./page-module.ts";
import { resolve } from "node:path";
import { isEmulatorError, type Problem } from "../../core/errors/emulator-error.ts";

/** Clears Vite's overlay, as an update of Vite's own does. */
const nothingChanged: HotPayload = { type: "update", updates: [] };

/**
 * Reloads the fixtures when they change, without reloading pages. Broken fixtures change nothing, and Vite's overlay
 * shows their problems until they are fixed. `load` uses the new fixtures and returns what pages must know. Resolves
 * when it watches, with a function that stops it.
 */
export async function followFixtures(
  server: ViteDevServer,
  { path, label }: FixturePlace,
  load: (signal: AbortSignal) => Promise<FixtureUpdate>,
): Promise<() => void> {
  const { logger, root } = server.config;
  const overlay = new FixtureOverlay(server);

  async function reload(signal: AbortSignal): Promise<void> {
    try {
      const update = await load(signal);
      forgetPageModule(server);
      overlay.clear();
      server.ws.send(updateEvent, update);
      logger.info(`backlot: reloaded ${visibleText(label)}`, { timestamp: true });
    } catch (error) {
      // Newer fixtures have arrived.
      if (signal.aborted) return;
      const payload = overlayFor(error, root);
      overlay.show(payload);
      logger.error(visibleLines(payload.err.message), { timestamp: true });
    }
  }

  /** Shows in the overlay why a page could not use the fixtures. */
  function failed({ message }: Partial<PageFailure>, page: HotChannelClient): void {
    const error = new Error(String(message));
    error.stack = "";
    overlay.showTo(page, overlayFor(error, root));
    logger.error(`backlot: ${visibleLines(error.message)}`, { timestamp: true });
  }
  server.ws.on(failedEvent, failed);

  const watch = await watchFixtures(path, reload, {
    cwd: root,
    failed: (error) => logger.error(visibleLines(String(error)), { timestamp: true }),
  });
  return () => {
    watch.close();
    server.ws.off(failedEvent, failed);
    overlay.close();
  };
}

/** Makes Vite forget the page's module, so that a page that is loaded later gets the new document. */
function forgetPageModule({ environments }: ViteDevServer): void {
  for (const { moduleGraph } of Object.values(environments)) {
    const module = moduleGraph.getModuleById(`\0${pageModuleId}`);
    if (module !== undefined) moduleGraph.invalidateModule(module);
  }
}

/** The part of a page's socket that is used here. */
interface PageSocket {
  readonly send: (text: string) => void;
}

/** Shows Vite's overlay on all pages, including those opened while it is shown. */
class FixtureOverlay {
  readonly #server: ViteDevServer;
  #shown: HotPayload | undefined;
  #isToldTo = false;

  constructor(server: ViteDevServer) {
    this.#server = server;
    server.ws.on("connection", this.#connected);
  }

  show(payload: HotPayload): void {
    this.#shown = payload;
    this.#send(nothingChanged, payload);
  }

  /** Shows the problem of one page, which reports it again when it reloads. */
  showTo(page: HotChannelClient, payload: HotPayload): void {
    this.#isToldTo = true;
    for (const one of [nothingChanged, payload]) page.send(one);
  }

  clear(): void {
    if (this.#shown !== undefined || this.#isToldTo) this.#send(nothingChanged);
    this.#shown = undefined;
    this.#isToldTo = false;
  }

  close(): void {
    this.#server.ws.off("connection", this.#connected);
  }

  /** Without a page Vite would keep an error for the next one, even after it is fixed. */
  #send(...payloads: readonly HotPayload[]): void {
    const { ws } = this.#server;
    if (ws.clients.size === 0) return;
    for (const payload of payloads) ws.send(payload);
  }

  readonly #connected = (socket: PageSocket): void => {
    if (this.#shown === undefined) return;
    // Vite reloads a page at its first update if the overlay is shown, so another update is sent first.
    for (const payload of [nothingChanged, this.#shown]) socket.send(JSON.stringify(payload));
  };
}

/** The content of Vite's overlay for broken fixtures: every problem, and the place of the first. */
function overlayFor(error: unknown, root: string): ErrorPayload {
  const message = error instanceof Error ? error.message : String(error);
  const isOurs = isEmulatorError(error);
  // A stack leads to our own code, which only helps with our own bugs.
  const stack = error instanceof Error && !isOurs ? (error.stack ?? "") : "";
  const problem: Partial<Problem> = (isOurs ? error.problems[0] : undefined) ?? {};
  const { line, column = 1 } = problem;
  const file = problem.file === undefined ? undefined : resolve(root, problem.file);
  const id = file === undefined ? {} : { id: file };
  const loc = file === undefined || line === undefined ? {} : { loc: { file, line, column } };
  return { type: "error", err: { plugin: "backlot", message, stack, ...id, ...loc } };
}
