import type { TableState } from "../store/table-state.ts";
import type { Additions } from "./added-budget.ts";
import type { Snapshot, World } from "./state.ts";

/** The lists of a world that the budget for additions counts, as they are now. */
export function worldAdditions({ state, models, embeddings, cassettes }: World): Additions {
  const { scripts, faults, answers, database } = state;
  const recorded = cassettes === undefined ? [] : [cassettes.cassettes, [cassettes.rules]];
  const schemas = schemasOf(database.peek().tables);
  return [scripts.list(), faults.list(), answers.peek(), schemas, models, embeddings, ...recorded];
}

/** The lists of a snapshot that the budget for additions counts. */
export function snapshotAdditions({
  chats,
  faults,
  answers,
  tables,
  imported,
}: Snapshot): Additions {
  const own = [chats.scripts, faults.planned, answers, schemasOf(tables.tables)];
  return imported === undefined ? own : [...own, ...worldAdditions(imported)];
}

function schemasOf(tables: ReadonlyMap<string, TableState>): readonly object[] {
  return [...tables.values()].map(({ layout }) => layout.schema);
}
