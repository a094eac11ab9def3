import type { EmulatorSettings } from "../emulator/options.ts";
import type { FixtureDocument } from "./fixture-source.ts";
import type { BacklotMode, Persistence } from "./options.ts";
import { scriptNames } from "./worker-script.ts";

/** What pages import. */
export const pageModuleId = "virtual:backlot";

/** The event that tells pages of other fixtures. Its data is a `FixtureUpdate`. */
export const updateEvent = "backlot:update";

/** What pages are told when the fixtures are others. */
export interface FixtureUpdate {
  /** Where the emulator is in the page; else the page has no use for it. */
  readonly document?: FixtureDocument;
}

/** What a page's module is made of. */
export interface PageModule {
  readonly mode: BacklotMode;
  readonly document: FixtureDocument;
  readonly settings: EmulatorSettings;
  /** How long the state of our own worker lasts. */
  readonly persist: Persistence | undefined;
  /** Vite's base: a path, or something relative to the page. */
  readonly base: string;
}

/** The code of `virtual:backlot`: the same exports in each mode, so that a page need not know who answers. */
export function pageModule({ mode, document, settings, persist, base }: PageModule): string {
  const start = starts[mode];
  return [
    start.imports,
    // As text, since an object literal takes longer to read, and `__proto__` would be no key of it.
    `export let fixtures = /* @__PURE__ */ JSON.parse(${JSON.stringify(JSON.stringify(document))});`,
    start.code({ settings: JSON.stringify({ ...settings, persist }), base: baseExpression(base) }),
    updates,
  ].join("\n");
}

/** A base that is no path is relative to the page; the worker has to come from the page's origin in any case. */
function baseExpression(base: string): string {
  return base.startsWith("/") ? JSON.stringify(base) : 'new URL(".", document.baseURI).pathname';
}

interface Start {
  readonly imports: string;
  readonly code: (values: { readonly settings: string; readonly base: string }) => string;
}

/** Somebody else answers. */
const startNothing: Start = {
  imports: "",
  code: () => `export async function start() {}
const load = async () => {};`,
};

const starts: Readonly<Record<BacklotMode, Start>> = {
  off: startNothing,
  server: startNothing,
  msw: {
    imports: `import { createEmulator } from "backlot";
import { startWorker } from "backlot/browser";`,
    code: ({ settings, base }) => `const settings = ${settings};
let started;
export function start() {
  const scope = ${base};
  return (started ??= startWorker({
    ...settings,
    fixtures,
    serviceWorker: { url: scope + "${scriptNames.msw}", options: { scope } },
    onUnhandledRequest: "bypass",
  }));
}
const load = async () => {
  if (started === undefined) return;
  const emulator = await started;
  const { core } = await createEmulator({ ...settings, fixtures });
  emulator.core.load(core.fixtures);
};`,
  },
  worker: {
    imports: 'import { startWorker } from "backlot/worker";',
    code: ({ settings, base }) => `const settings = ${settings};
let started;
const startAnew = () => {
  const scope = ${base};
  return startWorker({ ...settings, fixtures, script: scope + "${scriptNames.worker}", scope });
};
export function start() {
  return (started ??= startAnew());
}
const load = async () => {
  if (started === undefined) return;
  await started;
  await startAnew();
};`,
  },
};

const updates = `const listeners = new Set();
export function onUpdate(listener) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
if (import.meta.hot) {
  import.meta.hot.on("${updateEvent}", async ({ document }) => {
    fixtures = document ?? fixtures;
    await load();
    for (const listener of listeners) listener();
  });
}`;
