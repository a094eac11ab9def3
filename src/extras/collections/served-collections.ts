import type { Value } from "../../core/store/value.ts";

/** How the records of a collection are found that is served as a table. */
export interface ServedCollection {
  readonly name: string;
  readonly primaryKey: readonly string[];
  readonly recordByKey: (key: readonly Value[]) => object | undefined;
}

const served = new WeakMap<object, () => ServedCollection>();

/** Makes a collection known to those whose records relate to its records. */
export function serveCollection(collection: object, describe: () => ServedCollection): void {
  served.set(collection, describe);
}

/** Undefined where a collection is no table of any emulator. */
export function servedCollection(collection: object): ServedCollection | undefined {
  return served.get(collection)?.();
}
