import type { OtherProfiles } from "../rest/profiles.ts";
import type { AnswerControl, ConsolePage } from "./control-call.ts";
import type { ForeignTables } from "./foreign-tables.ts";

/**
 * What an emulator can do without. The core knows none of it by name: each composition root registers what it ships,
 * and whatever weighs something is loaded when it is first needed.
 */
export interface Extras extends OtherProfiles {
  /** Makes tables of the option `tables`. */
  readonly collections?: () => Promise<ReadCollections>;
  /** The control API. Default: there is none. */
  readonly control?: () => Promise<AnswerControl>;
  /** The console. Default: there is none. */
  readonly console?: () => Promise<ConsolePage>;
}

/** Reads the option `tables`. Rejects with `ERR_OPTION_INVALID` when it names no collections. */
export type ReadCollections = (option: unknown) => Promise<ForeignTables>;
