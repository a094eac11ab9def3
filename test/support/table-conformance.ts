import { test } from "vitest";
import { tableGaps } from "./table-gaps.ts";
import type { TableContents } from "../../src/core/store/database.ts";
import { type OpenTable, tableKinds } from "./table-kinds.ts";

/**
 * One behaviour of the `Table` interface, checked for every kind of table. Where its title is a known gap of a
 * kind it is expected to fail there, and turns red when it passes.
 */
export function conformance(
  title: string,
  contents: TableContents,
  run: (open: OpenTable) => Promise<void> | void,
): void {
  for (const kind of tableKinds) {
    const expected = Object.hasOwn(tableGaps[kind.name], title) ? test.fails : test;
    expected(`${title} [${kind.name}]`, async () => run(await kind.open(contents)));
  }
}
