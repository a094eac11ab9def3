import type { DumpPlace } from "../../extras/sqlite/dump-place.ts";
import type { JsonPath } from "./json/json-path.ts";

/** Something wrong with a value, or with the key that leads to it. */
export interface Finding {
  readonly path: JsonPath;
  readonly at: "key" | "value";
  /** The place of a character within the value, where that is a text. */
  readonly character?: number | undefined;
  readonly message: string;
}

/** Where a document came from: a value in memory, or the text of a file. */
export type Source =
  | { readonly kind: "memory" }
  | {
      readonly kind: "file";
      /** As messages show it. */
      readonly path: string;
      readonly text: string;
      readonly jsonc: boolean;
    }
  | {
      readonly kind: "dump";
      /** Where a part of what was read is written. */
      readonly placeOf: (path: JsonPath) => DumpPlace;
    };

export const memorySource: Source = { kind: "memory" };
