import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Connect, ResolvedConfig, ViteDevServer } from "vite";
import { Core } from "../../core/emulator/core.ts";
import { storageFor } from "../../core/settings/resolve-settings.ts";
import { exportState } from "../../core/emulator/state/export-state.ts";
import type { FixtureSet } from "../../core/fixture-set/fixture-set.ts";
import { fixturesOf } from "../../core/fixture-set/read-fixtures.ts";
import { assembleFiles, finishReading } from "../../core/fixture-set/read-fixtures.ts";
import { Findings } from "../../core/schema/findings.ts";
import { nodeExtras, readTableFiles } from "../node/extras.ts";
import { type FixturePlace, fixturePlace } from "../node/fixture-place.ts";
import { readFixtureTexts } from "../node/fixture-texts.ts";
import { middleware } from "../node/middleware.ts";
import { serveConsolePage } from "./console-page.ts";
import { followFixtures } from "./follow-fixtures.ts";
import type { PluginOptions } from "./options.ts";
import { type FixtureDocument, type FixtureUpdate, pageModule } from "./page-module.ts";
import { serveScript, type LoadScript, workerScript } from "./worker-script.ts";
import { writeTypes } from "./write-types.ts";

/** Fixtures as they were on disk. */
interface LoadedFixtures {
  readonly set: FixtureSet;
  /** Their source files, as messages name them. */
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
  #loaded: Promise<LoadedFixtures> | undefined;

  constructor(options: PluginOptions, { command, root, base }: ResolvedConfig) {
    const { fixtures, mode } = options;
    this.command = command;
    this.script = workerScript(mode, root);
    this.#options = options;
    this.#root = root;
    this.#base = base;
    this.#place = fixturePlace(fixtures instanceof URL ? fileURLToPath(fixtures) : fixtures, root);
  }

  /** The last valid fixtures. Rejects with an `EmulatorError` if there were none. */
  #fixtures(): Promise<LoadedFixtures> {
    return (this.#loaded ??= this.#load());
  }

  /** Reads the current files. Rejects with an `EmulatorError`. */
  async #load(): Promise<LoadedFixtures> {
    const { settings, skipUnsupported } = this.#options;
    const { layout, files } = readFixtureTexts(this.#place.path, this.#root);
    const assembled = await assembleFiles(files, layout);
    const { seed } = settings;
    const set = await finishReading(assembled, {
      skipUnsupported,
      readTableFiles,
      storageFor: storageFor(settings, nodeExtras),
      otherTables: [],
      ...(seed === undefined ? {} : { seed }),
    });
    const written = (await fixturesOf(assembled, new Findings())) ?? {};
    return { set, written, files: files.map(({ path }) => path) };
  }

  #core({ set }: LoadedFixtures): Core {
    return new Core(set, this.#options.settings, { extras: nodeExtras });
  }

  /**
   * Fixtures as one JSON document, with generated rows and tables of SQL dumps. Throws `ERR_FIXTURES_INVALID` for a
   * table that only SQL can express.
   */
  #document(loaded: LoadedFixtures): FixtureDocument {
    const exported: FixtureDocument = { ...exportState(this.#core(loaded).sessions.base) };
    const { $schema: _, state, ...others } = loaded.written;
    const { keys, asStored, cells } = recordOf(exported["state"]);
    return {
      ...others,
      ...exported,
      // Tables need these. Counters and random numbers belong to each emulator, unless the fixtures set them.
      state: { keys, asStored, cells, ...recordOf(state) },
    };
  }

  /** Answers on a dev server, and follows the fixtures. Resolves with a function that stops that. */
  async serve(server: ViteDevServer): Promise<() => void> {
    const { mode } = this.#options;
    if (mode === "off") return () => undefined;
    await this.tellTypes();
    // The package may be missing, which is better reported now than to the page.
    if (mode === "msw") await this.script?.();
    const replace = await this.mount(server.middlewares);
    if (mode !== "server") server.middlewares.use(serveConsolePage(server, mode));
    return followFixtures(server, this.#place, async () => {
      const loaded = await this.#load();
      const update = replace(loaded);
      this.#loaded = Promise.resolve(loaded);
      this.#writeTypes(loaded);
      return update;
    });
  }

  /** Adds the answering middleware to a server. Resolves with a function that switches fixtures. */
  async mount(middlewares: Connect.Server): Promise<(loaded: LoadedFixtures) => FixtureUpdate> {
    if (this.script !== undefined) middlewares.use(serveScript(this.script, this.#base));
    if (this.#options.mode !== "server") {
      return (loaded) => ({ document: this.#document(loaded) });
    }
    const core = this.#core(await this.#fixtures());
    const answer = middleware({ core });
    middlewares.use((request, response, next) => {
      if (isOfVite(request.url ?? "", this.#base)) next();
      else answer(request, response, next);
    });
    return ({ set }) => {
      core.load(set);
      return {};
    };
  }

  /** The code of `virtual:backlot`. */
  async pageModule(): Promise<string> {
    const isOff = this.#options.mode === "off";
    const document = isOff ? {} : this.#document(await this.#fixtures());
    return pageModule(document, {
      ...this.#options,
      base: this.#base,
      isHot: this.command === "serve",
    });
  }

  /** The files of the fixtures. */
  async files(): Promise<readonly string[]> {
    if (this.#options.mode === "off") return [];
    return (await this.#fixtures()).files.map((file) => resolve(this.#root, file));
  }

  /** Writes the types of the fixtures, if requested. */
  async tellTypes(): Promise<void> {
    if (this.#options.types !== undefined) this.#writeTypes(await this.#fixtures());
  }

  #writeTypes(loaded: LoadedFixtures): void {
    const { types } = this.#options;
    if (types !== undefined) writeTypes(resolve(this.#root, types), this.#document(loaded));
  }
}

/** The prefix of Vite's own paths, which would otherwise name sessions: `/@fs/rest/main.ts` is a file. */
const ofVite: readonly string[] = ["/@fs/", "/@id/", "/@vite/"];

/** Whether a path is Vite's own, with or without its base. */
function isOfVite(path: string, base: string): boolean {
  const below = path.startsWith(base) ? path.slice(base.length - 1) : path;
  return ofVite.some((start) => path.startsWith(start) || below.startsWith(start));
}

function recordOf(value: unknown): FixtureDocument {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
