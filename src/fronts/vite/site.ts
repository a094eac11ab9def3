import type { ServerResponse } from "node:http";
import type { Connect, Logger, PreviewServer, ResolvedConfig, ViteDevServer } from "vite";
import { visibleLines, visibleText } from "../../core/errors/visible-text.ts";
import type { BacklotMode, PluginOptions } from "./options.ts";
import {
  pageModuleId,
  type FixtureDocument,
  type FixtureUpdate,
  pageModule,
} from "./page-module.ts";
import { mswWorkerScript, ownWorkerScript, type WorkerScript } from "../node/worker-scripts.ts";
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { invalidOption } from "../../core/errors/emulator-error.ts";
import { fileURLToPath } from "node:url";
import { Core } from "../../core/emulator/core.ts";
import {
  type ResolvedSettings,
  resolveSettings,
  storageFor,
} from "../../core/settings/resolve-settings.ts";
import { pathBelowRoot } from "../../core/emulator/routes.ts";
import type { Observer } from "../../core/emulator/observer.ts";
import { exportState } from "../../core/emulator/state/export-state.ts";
import type { FixtureSet } from "../../core/fixture-set/fixture-set.ts";
import { fixturesOf, assembleFiles, finishReading } from "../../core/fixture-set/read-fixtures.ts";
import { asObject } from "../../core/schema/json.ts";
import { Findings } from "../../core/schema/schema.ts";
import { nodeExtras, tableFileReader } from "../node/extras.ts";
import { exists, type FixturePlace, fixturePlace } from "../node/fixture-place.ts";
import { readFixtureTexts } from "../node/fixture-texts.ts";
import { makeFolders } from "../node/make-folders.ts";
import { type Middleware, middleware } from "../node/middleware.ts";
import { replaceFile } from "../node/replace-file.ts";
import { followFixtures } from "./follow-fixtures.ts";
import { type ToldSite, tellOfDevServer, tellWithUrls } from "./tell-addresses.ts";

/** The console's path, in any session. */
const consolePath = /^\/(?:@[^/]+\/)?__backlot\/?$/;

/** A page that starts the worker, which then answers in its place. */
const starting = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>Backlot</title></head>
  <body>
    <p>Starting the service worker.</p>
    <script type="module">
      import { start } from "${pageModuleId}";
      start().then(
        () => location.reload(),
        (error) => document.querySelector("p").append(" ", error.message),
      );
    </script>
  </body>
</html>`;

/**
 * Answers at the console's address if no worker does: before a page has started one, or if none ever will. Otherwise
 * Vite would send the app's own page.
 */
function serveConsolePage(server: ViteDevServer, mode: BacklotMode): Connect.NextHandleFunction {
  const { base } = server.config;
  return (request, response, next) => {
    const [path = ""] = (request.url ?? "").split("?");
    const below = pathBelowRoot(path, base);
    if (request.method !== "GET" || !consolePath.test(below)) return next();
    if (mode === "worker" && !path.startsWith(base)) {
      // The worker answers only below the base.
      response.writeHead(302, { location: base + path.slice(1) }).end();
      return;
    }
    if (mode === "worker") {
      const page = server.transformIndexHtml("/__backlot/", starting);
      return void page.then((text) => send(text, response), next);
    }
    const why = `In mode ${mode} there is no console, since each page has its own emulator. Modes server and worker have one.`;
    response.writeHead(404, { "content-type": "text/plain; charset=utf-8" }).end(`${why}\n`);
  };
}

function send(page: string, response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page);
}

/** Loads the files of a service worker. Rejects with `ERR_PACKAGE_MISSING`. */
export type LoadScript = () => Promise<WorkerScript>;

/** The service worker of a mode; undefined if it has none. For msw it is that of the project's own msw. */
function workerScript(mode: BacklotMode, root: string): LoadScript | undefined {
  if (mode === "worker") return () => ownWorkerScript();
  return mode === "msw" ? () => mswWorkerScript(root) : undefined;
}

/** What a server answers with. */
interface MountedEmulator {
  /** Uses other fixtures. */
  readonly replace: (loaded: LoadedFixtures) => FixtureUpdate;
  /** Notes why changed fixtures cannot be used. */
  readonly refuse: (error: unknown) => void;
}

/** The possible names of a script's files. Requests with other names do not wait for the disk. */
const scriptName = /^(?:mockServiceWorker|backlot-worker(?:\/[\w-]+)?)\.js$/;

/**
 * Serves the script below Vite's base, so that it may answer the pages there. It is read each time, since its version
 * must match the page's code.
 */
function serveScript(load: LoadScript, base: string): Connect.NextHandleFunction {
  return (request, response, next) => {
    const [path = ""] = (request.url ?? "").split("?");
    const name = path.slice(base.length);
    if (!path.startsWith(base) || !scriptName.test(name)) return next();
    const answer = (text: string | undefined): void =>
      text === undefined ? next() : sendScript(text, base, response);
    load().then((files) => answer(files.get(name)), next);
  };
}

function sendScript(text: string, base: string, response: ServerResponse): void {
  response.writeHead(200, {
    "content-type": "text/javascript; charset=utf-8",
    "cache-control": "no-cache, no-store",
    "service-worker-allowed": base,
  });
  response.end(text);
}

/** Type declarations for the tables of a fixture document, without rows. */
function tableDeclarations({ tables }: FixtureDocument): string {
  const entries = Object.entries(typeof tables === "object" && tables !== null ? tables : {});
  const schemas = entries.map(([name, { primaryKey, columns }]) => [name, { primaryKey, columns }]);
  const text = JSON.stringify(Object.fromEntries(schemas), null, 2).replaceAll("\n", "\n      ");
  return `// Written by the Vite plugin of Backlot: the tables of the fixtures. Do not edit.
/// <reference types="backlot/vite/client" />

declare module "virtual:backlot" {
  interface Register {
    fixtures: {
      tables: ${text};
    };
  }
}
`;
}

/** Writes the declarations to a file, but only if they changed, since editors and watchers react to every write. */
async function writeTypes(file: string, document: FixtureDocument): Promise<void> {
  const text = tableDeclarations(document);
  try {
    if ((await readFile(file, "utf8").catch(() => "")) === text) return;
    await makeFolders(dirname(file));
    await replaceFile(file, [text]);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw invalidOption(
      `Cannot write the types of the fixtures: ${reason}. Name another file: types.`,
      cause,
    );
  }
}

/** Where the fixtures of the plugin's option are. */
export function fixturePlaceFor(fixtures: PluginOptions["fixtures"], root: string): FixturePlace {
  return fixturePlace(fixtures instanceof URL ? fileURLToPath(fixtures) : fixtures, root);
}

/** Fixtures as they were on disk. */
interface LoadedFixtures {
  readonly set: FixtureSet;
  /** The source files, as messages name them. */
  readonly files: readonly string[];
  /** The document as written, its files combined. */
  readonly written: FixtureDocument;
}

/** The plugin's work for one Vite config: a dev server, a preview, or a build. */
export class Site {
  readonly command: ResolvedConfig["command"];
  /** The service worker that pages register. */
  readonly script: LoadScript | undefined;
  readonly #options: PluginOptions;
  readonly #root: string;
  readonly #base: string;
  readonly #place: FixturePlace;
  readonly #logger: Logger;
  #loaded: Promise<LoadedFixtures> | undefined;
  /** The last loaded fixtures, for code that cannot wait for a promise. */
  #current: FixtureSet | undefined;

  constructor(options: PluginOptions, { command, root, base, logger }: ResolvedConfig) {
    const { fixtures, mode } = options;
    this.command = command;
    this.script = workerScript(mode, root);
    this.#options = options;
    this.#root = root;
    this.#base = base;
    this.#logger = logger;
    this.#place = fixturePlaceFor(fixtures, root);
  }

  /** The last valid fixtures. Rejects with an `EmulatorError` if there were none. */
  #fixtures(): Promise<LoadedFixtures> {
    return (this.#loaded ??= this.#load());
  }

  /** Reads the current files, until the signal is aborted. Rejects with an `EmulatorError`. */
  async #load(signal?: AbortSignal): Promise<LoadedFixtures> {
    const { settings, skipUnsupported } = this.#options;
    const place = this.#place.path;
    // Show the whole path of missing fixtures: a relative path does not tell where Vite's root is.
    const shown = exists(place, this.#root) ? undefined : resolve(this.#root, place);
    const { layout, files } = readFixtureTexts(place, this.#root, shown);
    const assembled = await assembleFiles(files, layout);
    const { seed } = settings;
    const set = await finishReading(assembled, {
      skipUnsupported,
      readTableFiles: tableFileReader(signal),
      storageFor: storageFor(settings, nodeExtras),
      otherTables: [],
      ...(seed === undefined ? {} : { seed }),
    });
    const written = (await fixturesOf(assembled, new Findings())) ?? {};
    return { set, written, files: files.map(({ path }) => path) };
  }

  #core({ set }: LoadedFixtures): Core {
    const logger = this.#logger;
    const observer: Observer = {
      warned: (message) => logger.warn(`backlot: ${visibleLines(message)}`, { timestamp: true }),
      failed: (error) => {
        const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
        logger.error(`backlot: ${visibleLines(text)}`, { timestamp: true });
      },
    };
    return new Core(set, this.#options.settings, { extras: nodeExtras, observer });
  }

  /**
   * Fixtures as one JSON document, with generated rows and tables of SQL dumps. Throws `ERR_FIXTURES_INVALID` for a
   * table that only SQL can express.
   */
  #document(loaded: LoadedFixtures): FixtureDocument {
    const exported: FixtureDocument = { ...exportState(this.#core(loaded).sessions.base) };
    const { $schema: _, state, ...others } = loaded.written;
    const { keys, asStored, cells } = asObject(exported["state"]) ?? {};
    return {
      ...others,
      ...exported,
      // These parts belong to tables. Counters and random numbers belong to each emulator, unless the fixtures set
      // them.
      state: { keys, asStored, cells, ...asObject(state) },
    };
  }

  /** Answers requests on a dev server, and follows changes of the fixtures. Resolves with a function that stops it. */
  async serve(server: ViteDevServer): Promise<() => void> {
    const { mode } = this.#options;
    if (mode === "off") return () => undefined;
    await this.tellTypes();
    // Fails if the package is missing, which is better reported now than to the page.
    if (mode === "msw") await this.script?.();
    const { replace, refuse } = await this.#mount(server.middlewares);
    tellOfDevServer(server, await this.#told());
    if (mode !== "server") server.middlewares.use(serveConsolePage(server, mode));
    return followFixtures(server, this.#place, async (signal) => {
      const loaded = await this.#load(signal).catch((error: unknown) => {
        if (!signal.aborted) refuse(error);
        throw error;
      });
      const update = replace(loaded);
      this.#loaded = Promise.resolve(loaded);
      this.#current = loaded.set;
      await this.#writeTypes(loaded);
      return update;
    });
  }

  /** Answers requests on a preview server, which serves a build. */
  async preview(server: PreviewServer): Promise<void> {
    if (this.#options.mode === "off") return;
    await this.#mount(server.middlewares);
    tellWithUrls(server, await this.#told());
  }

  /** What the server's log shows about this site. */
  async #told(): Promise<ToldSite> {
    const { mode, settings } = this.#options;
    this.#current = (await this.#fixtures()).set;
    const resolved = (): ResolvedSettings =>
      resolveSettings(settings, this.#current?.settings ?? {}, nodeExtras);
    return { mode, settings: resolved };
  }

  /** Adds the answering middleware to a server. */
  async #mount(middlewares: Connect.Server): Promise<MountedEmulator> {
    if (this.script !== undefined) middlewares.use(serveScript(this.script, this.#base));
    if (this.#options.mode !== "server") {
      return {
        replace: (loaded) => ({ document: this.#document(loaded) }),
        refuse: () => undefined,
      };
    }
    const core = this.#core(await this.#fixtures());
    const answer = middleware({ core });
    middlewares.use(answerBelowToo(this.#base, answer));
    return {
      replace: ({ set }) => {
        core.load(set);
        return {};
      },
      refuse: (error) => core.refuseFixtures(error),
    };
  }

  /** The code of `virtual:backlot`, with the worker script of a build as the bundler names it. */
  async pageModule(scriptFile?: string): Promise<string> {
    const isOff = this.#options.mode === "off";
    const document = isOff ? {} : this.#document(await this.#fixtures());
    return pageModule(document, {
      ...this.#options,
      base: this.#base,
      scriptFile,
      isHot: this.command === "serve",
    });
  }

  /** Warns of a base at another origin, since a page can register only a worker of its own. */
  warnOfForeignBase(): void {
    const { mode } = this.#options;
    if (this.script === undefined || /^[./]/.test(this.#base)) return;
    const files =
      mode === "msw" ? "mockServiceWorker.js" : "backlot-worker.js and its folder backlot-worker";
    this.#logger.warn(
      `backlot: no page can register a worker from Vite's base ${visibleText(this.#base)}, which is another origin. ` +
        `Serve ${files} on the page's own origin, from the folder of its <base href>, else of the page.`,
    );
  }

  /** The paths of the fixture files. */
  async files(): Promise<readonly string[]> {
    if (this.#options.mode === "off") return [];
    return (await this.#fixtures()).files.map((file) => resolve(this.#root, file));
  }

  /** Writes the type declarations, if requested. */
  async tellTypes(): Promise<void> {
    if (this.#options.types !== undefined) await this.#writeTypes(await this.#fixtures());
  }

  async #writeTypes(loaded: LoadedFixtures): Promise<void> {
    const { types } = this.#options;
    if (types !== undefined) await writeTypes(resolve(this.#root, types), this.#document(loaded));
  }
}

/** Answers at Backlot's own paths, and at the same paths below Vite's base. */
function answerBelowToo(base: string, answer: Middleware): Connect.NextHandleFunction {
  return (request, response, next) => {
    const { url = "" } = request;
    if (isOfVite(url, base)) return next();
    const isBelow = base !== "/" && url.startsWith(base);
    return answer(request, response, (error) => {
      if (error !== undefined || !isBelow) return next(error);
      request.url = url.slice(base.length - 1);
      return answer(request, response, (later) => {
        request.url = url;
        next(later);
      });
    });
  };
}

/** The prefixes of Vite's own paths, which would otherwise name sessions: `/@fs/rest/main.ts` is a file. */
const vitePrefixes: readonly string[] = ["/@fs/", "/@id/", "/@vite/"];

/** Whether a path is Vite's own, with or without its base. */
function isOfVite(path: string, base: string): boolean {
  const below = path.startsWith(base) ? path.slice(base.length - 1) : path;
  return vitePrefixes.some((start) => path.startsWith(start) || below.startsWith(start));
}
