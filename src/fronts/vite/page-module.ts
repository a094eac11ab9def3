import type { BacklotMode, PluginOptions } from "./options.ts";
import { scriptNames } from "./worker-script.ts";

/** What pages import. */
export const pageModuleId = "virtual:backlot";

/** The event that tells pages of other fixtures. Its data is a `FixtureUpdate`. */
export const updateEvent = "backlot:update";

/** The event by which pages tell that they could not use the fixtures. Its data is a `PageFailure`. */
export const failedEvent = "backlot:failed";

/** Why a page could not use the fixtures. */
export interface PageFailure {
  readonly message: string;
}

/** What pages are told when the fixtures are others. */
export interface FixtureUpdate {
  /** Where the emulator is in the page; else the page has no use for it. */
  readonly document?: FixtureDocument;
}

/** A fixture document: JSON, complete and checked. */
export type FixtureDocument = Readonly<Record<string, unknown>>;

/** What a page's module is made of, besides the fixtures. */
export interface PageSetup extends Pick<PluginOptions, "mode" | "settings" | "persist"> {
  /** Vite's base: a path, or something relative to the page. */
  readonly base: string;
  /** Whether pages are told of other fixtures, which may need any part of our own worker. */
  readonly isHot: boolean;
}

/** The code of `virtual:backlot`: the same exports in each mode, so that a page need not know who answers. */
export function pageModule(
  document: FixtureDocument,
  { mode, settings, persist, base, isHot }: PageSetup,
): string {
  const start = starts[mode];
  // All parts are installed at once, so that no edit needs another worker, which would wait for the answers of this one.
  const parts = isHot ? ["templates", "faker"] : undefined;
  const own = { ...settings, ...(mode === "worker" ? { persist, parts } : {}) };
  return [
    start?.imports,
    // As text, since an object literal takes longer to read, and `__proto__` would be no key of it.
    `export let fixtures = /* @__PURE__ */ JSON.parse(${JSON.stringify(JSON.stringify(document))});`,
    start === undefined ? startNothing : startCode(start, JSON.stringify(own), base),
    updates,
  ].join("\n");
}

/** A base that is no path is relative to the page; the worker has to come from the page's origin in any case. */
function baseExpression(base: string): string {
  return base.startsWith("/") ? JSON.stringify(base) : 'new URL(".", document.baseURI).pathname';
}

/** How a page has its requests answered. */
interface Start {
  readonly imports: string;
  /** Starts it, or starts it anew. */
  readonly startAnew: string;
  /** Has it take other fixtures. */
  readonly takeOthers: string;
}

/** Somebody else answers. */
const startNothing = `export async function start() {}
const load = async () => {};
const hasFailed = false;
const tellFailure = () => {};`;

const starts: Readonly<Partial<Record<BacklotMode, Start>>> = {
  msw: {
    imports: `import { createEmulator } from "backlot";
import { startWorker } from "backlot/browser";`,
    startAnew: `startWorker({
    ...settings,
    fixtures,
    serviceWorker: { url: scope + "${scriptNames.msw}", options: { scope } },
    onUnhandledRequest: "bypass",
  })`,
    takeOthers: `const { core } = await createEmulator({ ...settings, fixtures });
  emulator.core.load(core.fixtures);`,
  },
  worker: {
    imports: 'import { startWorker } from "backlot/worker";',
    startAnew: `startWorker({ ...settings, fixtures, script: scope + "${scriptNames.worker}", scope })`,
    takeOthers: "await startAnew();",
  },
};

// A page that has stopped it stays as it is, until it starts it again.
function startCode({ startAnew, takeOthers }: Start, settings: string, base: string): string {
  return `const settings = ${settings};
const startAnew = () => {
  const scope = ${baseExpression(base)};
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

// What was there goes on where the page cannot use the others. A page that could not start is begun anew.
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
