import type { DumpPlace } from "../../extras/sqlite/dump-place.ts";
import type { JsonPath } from "../schema/json.ts";

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
