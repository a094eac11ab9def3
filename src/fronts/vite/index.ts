export type { BacklotMode, BacklotOptions } from "./options.ts";
export type { Persistence } from "../../core/settings/settings.ts";
export type { FixtureUpdate } from "./page-module.ts";
export { backlot, backlot as default } from "./plugin.ts";
