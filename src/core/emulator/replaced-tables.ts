import { EmulatorError } from "../errors/emulator-error.ts";
import type { FixtureSet } from "../fixture-set/fixture-set.ts";
import type { TableSchema } from "../store/schema.ts";
import type { ForeignTables } from "./extras.ts";

/** Throws where a table of the fixtures refers to one that a collection replaces: nobody would keep that. */
export function refuseReferences({ tables }: FixtureSet, collections: ForeignTables): void {
  for (const { schema } of tables) {
    if (collections.has(schema.name)) continue;
    const target = targetsOf(schema).find((name) => collections.has(name));
    if (target === undefined) continue;
    throw new EmulatorError(
      "ERR_OPTION_INVALID",
      `Cannot serve a collection as the table "${target}": the table "${schema.name}" of the fixtures refers to it, ` +
        `and references to collections are not kept. Serve it under another name, or remove the reference.`,
    );
  }
}

function targetsOf({ columns, foreignKeys = [] }: TableSchema): readonly string[] {
  const single = columns.flatMap(({ references }) => references?.table ?? []);
  return [...single, ...foreignKeys.map(({ to }) => to.table)];
}
