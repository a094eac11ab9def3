export type { BacklotMode, BacklotOptions, Persistence } from "./options.ts";
export type { FixtureUpdate } from "./page-module.ts";
export { backlot, backlot as default } from "./plugin.ts";
