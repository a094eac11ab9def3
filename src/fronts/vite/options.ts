import { type EmulatorSettings, settingNames } from "../../core/fixture-set/settings.ts";
import { placeOfSetting } from "../../core/fixture-set/settings.ts";
import { EmulatorError } from "../../core/errors/emulator-error.ts";
import { didYouMean } from "../../core/errors/nearest-name.ts";

/**
 * Who answers: the dev server itself (`server`), a service worker of msw in the page (`msw`), Backlot's own service
 * worker (`worker`), or nobody of the plugin's (`off`), as in a build that talks to the real service.
 */
export type BacklotMode = "server" | "msw" | "worker" | "off";

/** How long the state of our own service worker lasts. */
export type Persistence = "memory" | "tab" | "origin";

/** What `backlot()` takes in `vite.config.ts`: fixtures, who serves them, and the settings of the emulator. */
export interface BacklotOptions extends EmulatorSettings {
  /**
   * A fixtures folder or file, relative to Vite's root. Default: `fixtures`, `backlot` or `db.json`, else the set that
   * ships with Backlot.
   */
  readonly fixtures?: string | URL;
  /** Default `server`. */
  readonly mode?: BacklotMode;
  /**
   * How long what requests change lasts in mode `worker`: until the page is loaded anew (`memory`), as long as its tab, or
   * for all tabs until it is reset (`origin`). Default `origin`.
   */
  readonly persist?: Persistence;
  /** Whether what SQL dumps have and the emulator has not is left out, with a warning. Default false. */
  readonly skipUnsupported?: boolean;
  /**
   * A `.d.ts` file, relative to Vite's root, that is kept in step with the fixtures and tells the types of their tables.
   * Default: none is written.
   */
  readonly types?: string;
}

/** The options of a plugin, apart from those of its emulator. */
export interface PluginOptions {
  readonly fixtures: string | URL | undefined;
  readonly mode: BacklotMode;
  readonly persist: Persistence | undefined;
  readonly skipUnsupported: boolean;
  readonly types: string | undefined;
  readonly settings: EmulatorSettings;
}

const modes: readonly BacklotMode[] = ["server", "msw", "worker", "off"];

const persistences: readonly Persistence[] = ["memory", "tab", "origin"];

const ownNames: readonly string[] = ["fixtures", "mode", "persist", "skipUnsupported", "types"];
const names: readonly string[] = [...ownNames, ...settingNames];

/** Options of the command line that are somebody else's here. */
const elsewhere: ReadonlyMap<string, string> = new Map([
  ["port", " It is Vite's own: write server: { port }."],
  ["host", " It is Vite's own: write server: { host }."],
  ["open", " It is Vite's own: write server: { open }."],
  ["watch", " Fixtures are always watched."],
]);

/** Reads what a config gave, which may be anything. Throws `ERR_OPTION_INVALID`. */
export function readOptions(options: BacklotOptions): PluginOptions {
  for (const name of Object.keys(options)) {
    if (names.includes(name)) continue;
    const advice = elsewhere.get(name) ?? (placeOfSetting(name) || didYouMean(name, names));
    throw invalid(`"${name}": there is no such option.${advice} Use: ${names.join(", ")}.`);
  }
  const { fixtures, mode = "server", persist, ...others } = options;
  const { skipUnsupported = false, types, ...settings } = others;
  if (!modes.includes(mode)) {
    throw invalid(
      `mode: its value is ${JSON.stringify(mode)}.${near(mode)} Use one of: ${modes.join(", ")}.`,
    );
  }
  if (persist !== undefined) checkPersistence(persist, mode);
  if (fixtures !== undefined && typeof fixtures !== "string" && !(fixtures instanceof URL)) {
    throw invalid("fixtures: it is no path. Name a folder or a file.");
  }
  if (types !== undefined && (typeof types !== "string" || !types.endsWith(".d.ts"))) {
    throw invalid(
      `types: its value is ${JSON.stringify(types)}. Name a file that ends in .d.ts, such as "src/backlot.d.ts".`,
    );
  }
  return { fixtures, mode, persist, skipUnsupported, types, settings };
}

/** Only our own worker has a state that lasts. */
function checkPersistence(persist: Persistence, mode: BacklotMode): void {
  if (!persistences.includes(persist)) {
    throw invalid(
      `persist: its value is ${JSON.stringify(persist)}. Use one of: ${persistences.join(", ")}.`,
    );
  }
  if (mode === "worker") return;
  throw invalid(`persist in mode ${mode}: its state does not last. Use mode: "worker".`);
}

function near(mode: unknown): string {
  return typeof mode === "string" ? didYouMean(mode, modes) : "";
}

function invalid(what: string): EmulatorError {
  return new EmulatorError("ERR_OPTION_INVALID", `Cannot use the option ${what}`);
}
