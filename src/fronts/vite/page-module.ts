import type { BacklotMode, PluginOptions } from "./options.ts";
import { workerScriptNames } from "../node/worker-scripts.ts";

/** The module that pages import. */
export const pageModuleId = "virtual:backlot";

/** The module that `virtual:backlot` imports in mode `msw`. The package does not export this file. */
export const atOnceId = "backlot/at-once";

/** The event that tells pages of changed fixtures. Its data is a `FixtureUpdate`. */
export const updateEvent = "backlot:update";

/** The event of pages that could not use the fixtures. Its data is a `PageFailure`. */
export const failedEvent = "backlot:failed";

/** Why a page could not use the fixtures. */
export interface PageFailure {
  readonly message: string;
}

/** What pages get when the fixtures change. */
export interface FixtureUpdate {
  /** Present if the emulator is in the page; otherwise the page has no use for it. */
  readonly document?: FixtureDocument;
}

/** A fixture document: JSON, complete and checked. */
export type FixtureDocument = Readonly<Record<string, unknown>>;

export interface PageSetup extends Pick<PluginOptions, "mode" | "settings" | "persist"> {
  /** Vite's base: a path; in builds also `./`, or a URL. */
  readonly base: string;
  /** The worker script of a build, as the bundler names it. */
  readonly scriptFile: string | undefined;
  /** Whether pages get changed fixtures, which may need any part of our own worker. */
  readonly isHot: boolean;
}

/** The code of `virtual:backlot`: the same exports in each mode, so that a page need not know who answers. */
export function pageModule(
  document: FixtureDocument,
  { mode, settings, persist, isHot, ...place }: PageSetup,
): string {
  const start = starts[mode];
  // All parts are installed at once, so that no edit needs another worker, which would have to wait for the answers of
  // the old one.
  const parts = isHot ? ["templates", "faker"] : undefined;
  const own = { ...settings, ...(mode === "worker" ? { persist, parts } : {}) };
  return [
    start?.imports,
    // As text, which is faster to parse than an object literal. In a literal, `__proto__` would not be a key.
    `export let fixtures = /* @__PURE__ */ JSON.parse(${JSON.stringify(JSON.stringify(document))});`,
    start === undefined
      ? startNothing
      : startCode(start, JSON.stringify(own), siteExpression(place)),
    updates,
  ].join("\n");
}

/** The path of the site, where the worker script is. */
function siteExpression({ base, scriptFile }: Pick<PageSetup, "base" | "scriptFile">): string {
  if (base.startsWith("/")) return JSON.stringify(base);
  const isRelative = base.startsWith(".");
  // Pages of a build are in any folder, but the bundler knows the way from this module to the script. At another origin
  // no page can register it.
  return isRelative && scriptFile !== undefined
    ? `new URL(".", import.meta.ROLLUP_FILE_URL_${scriptFile}).pathname`
    : 'new URL(".", document.baseURI).pathname';
}

/** How a page's requests are answered. */
interface Start {
  readonly imports: string;
  /** Code that starts the emulator, or starts it over. */
  readonly startAnew: string;
  /** Code that switches to other fixtures. */
  readonly takeOthers: string;
}

/** Another program answers, so there is nothing to start. */
const startNothing = `export async function start() {}
const load = async () => {};
const hasFailed = false;
const tellFailure = () => {};`;

const starts: Readonly<Partial<Record<BacklotMode, Start>>> = {
  msw: {
    imports: `import { createEmulator, startWorker } from "${atOnceId}";`,
    startAnew: `startWorker({
    ...settings,
    fixtures,
    serviceWorker: { url: scope + "${workerScriptNames.msw}", options: { scope } },
    onUnhandledRequest: "bypass",
  })`,
    takeOthers: `const { core } = await createEmulator({ ...settings, fixtures });
  emulator.core.load(core.fixtures);`,
  },
  worker: {
    imports: 'import { startWorker } from "backlot/worker";',
    startAnew: `startWorker({ ...settings, fixtures, script: scope + "${workerScriptNames.worker}", scope })`,
    takeOthers: "await startAnew();",
  },
};

// The code that starts the emulator. A page that has stopped it must start it again itself.
function startCode({ startAnew, takeOthers }: Start, settings: string, site: string): string {
  return `const settings = ${settings};
const startAnew = () => {
  const scope = ${site};
  return ${startAnew};
};
let started;
let hasFailed = false;
const tellFailure = (error) => {
  import.meta.hot?.send("${failedEvent}", { message: String(error?.message ?? error) });
};
export function start() {
  return (started ??= startAnew().then(
    (emulator) => ({
      ...emulator,
      stop: () => {
        started = undefined;
        return emulator.stop();
      },
    }),
    (error) => {
      hasFailed = true;
      tellFailure(error);
      throw error;
    },
  ));
}
const load = async () => {
  const emulator = await started;
  if (emulator === undefined) return;
  ${takeOthers}
};`;
}

// If the page cannot use the new fixtures, the old ones stay. A page that could not start tries again.
const updates = `const listeners = new Set();
export function onUpdate(listener) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
if (import.meta.hot) {
  import.meta.hot.on("${updateEvent}", async ({ document }) => {
    if (hasFailed) return location.reload();
    const before = fixtures;
    try {
      fixtures = document ?? fixtures;
      await load();
    } catch (error) {
      fixtures = before;
      tellFailure(error);
      return;
    }
    for (const listener of listeners) listener();
  });
}`;
