import { checkOptions, type EmulatorSettings } from "../../core/settings/settings.ts";
import { type Persistence, persistence } from "../page/persistence.ts";
import { invalidOption } from "../../core/errors/emulator-error.ts";
import type { Schema } from "../../core/schema/schema.ts";
import { flag, oneOf, textLike } from "../../core/schema/values.ts";

/**
 * Who answers: the dev server itself (`server`), msw's service worker in the page (`msw`), Backlot's own service
 * worker (`worker`), or nobody (`off`), as in a build that talks to the real service.
 */
export type BacklotMode = "server" | "msw" | "worker" | "off";

/** The options of `backlot()` in `vite.config.ts`: fixtures, who serves them, and the emulator's settings. */
export interface BacklotOptions extends EmulatorSettings {
  /**
   * A fixtures folder or file, relative to Vite's root. Default: `fixtures`, `backlot` or `db.json`, else the
   * built-in set.
   */
  readonly fixtures?: string | URL;
  /** Default: `server`. */
  readonly mode?: BacklotMode;
  /**
   * How long changes by requests last in mode `worker`: until the page reloads (`memory`), as long as its tab
   * (`tab`), or for all tabs until a reset (`origin`). Default: `origin`.
   */
  readonly persist?: Persistence;
  /** Whether to skip what SQL dumps have and the emulator lacks, with a warning. Default: false. */
  readonly skipUnsupported?: boolean;
  /**
   * A `.d.ts` file, relative to Vite's root, that is kept up to date with the types of the fixtures' tables. Default:
   * none.
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

const modes = oneOf(["server", "msw", "worker", "off"]);

const path: Schema<unknown> = {
  check: (value, run) => {
    if (typeof value !== "string" && !(value instanceof URL)) {
      run.mustBe("the path of a folder or a file", value);
    }
  },
  json: () => ({ type: "string" }),
};

/** The plugin's options besides the settings. */
const own: Readonly<Record<string, Schema<unknown>>> = {
  fixtures: path,
  mode: modes,
  persist: persistence,
  skipUnsupported: flag,
  types: textLike(/\.d\.ts$/, 'Expected a file that ends in .d.ts, such as "src/backlot.d.ts"'),
};

/** Options of the command line that belong elsewhere here. */
const elsewhere: Readonly<Record<string, string>> = {
  port: "It is Vite's own: write server: { port }.",
  host: "It is Vite's own: write server: { host }.",
  open: "It is Vite's own: write server: { open }.",
  watch: "Fixtures are always watched.",
};

/** Validates the options of a config. Throws `ERR_OPTION_INVALID`. */
export function readOptions(options: BacklotOptions): PluginOptions {
  checkOptions(options, own, elsewhere);
  const {
    fixtures,
    mode = "server",
    persist,
    skipUnsupported = false,
    types,
    ...settings
  } = options;
  // Only our own worker has a lasting state.
  if (persist !== undefined && mode !== "worker") {
    throw invalidOption(
      `Cannot use the option persist in mode ${mode}: its state does not last. Use mode: "worker".`,
    );
  }
  return { fixtures, mode, persist, skipUnsupported, types, settings };
}
