/** This project's engine, called as the tables interface calls it: values of conditions are texts. */
import { type Item, itemSchema, type NewItem } from "../items.ts";
import { pageSize, type ReadParameters } from "../operations.ts";
import { type Database, loadDatabase } from "./built.ts";
import type { Contender, ItemChanges } from "./contender.ts";

type Table = NonNullable<ReturnType<Database["table"]>>;
type Written = ReturnType<Table["insert"]>;
type Condition = Parameters<Table["select"]>[0]["where"][number];

const byPrice = { by: [{ column: "price", descending: false }] };
const byCreated = { by: [{ column: "created", descending: false }] };
const newestFirst = { by: [{ column: "created", descending: true }] };

/** A database of the items. Its indexes are made when they are first useful. */
export function loadItems(items: readonly Item[]): Database {
  return loadDatabase([{ schema: itemSchema, rows: items }]);
}

function inRange({ fromText, toText }: ReadParameters["range"]): readonly Condition[] {
  return [
    { column: "price", operator: "gte", value: fromText },
    { column: "price", operator: "lt", value: toText },
  ];
}

/** The engine's table of items in a database. */
export class Engine implements Contender {
  readonly #table: Table;

  constructor(database: Database) {
    const table = database.table("items");
    if (table === undefined) throw new Error("The engine has no table of items.");
    this.#table = table;
  }

  get({ id }: ReadParameters["get"]): readonly object[] {
    const row = this.#table.get([id]);
    return row === undefined ? [] : [row];
  }

  equal({ category }: ReadParameters["equal"]): readonly object[] {
    const where: Condition[] = [{ column: "category", operator: "eq", value: category }];
    return this.#table.select({ where, limit: pageSize });
  }

  range(range: ReadParameters["range"]): readonly object[] {
    const { offset } = range;
    return this.#table.select({ where: inRange(range), sort: byPrice, offset, limit: pageSize });
  }

  resorted(range: ReadParameters["range"]): readonly object[] {
    const { offset } = range;
    return this.#table.select({ where: inRange(range), sort: byCreated, offset, limit: pageSize });
  }

  like({ part }: ReadParameters["like"]): readonly object[] {
    return this.#table.select({
      where: [{ column: "name", operator: "like", value: `%${part}%` }],
    });
  }

  in({ emails }: ReadParameters["in"]): readonly object[] {
    return this.#table.select({ where: [{ column: "email", operator: "in", values: emails }] });
  }

  top(): readonly object[] {
    return this.#table.select({ where: [], sort: newestFirst, limit: pageSize });
  }

  fullSort(): readonly object[] {
    return this.#table.select({ where: [], sort: byPrice });
  }

  insert(given: NewItem): void {
    checkWritten(this.#table.insert(given));
  }

  update(id: number, { price, stock }: ItemChanges): void {
    checkWritten(this.#table.update([id], { price, stock }));
  }

  delete(id: number): void {
    checkWritten(this.#table.delete([id]));
  }
}

function checkWritten(result: Written): void {
  if ("ok" in result && result.ok) return;
  throw new Error(`The engine refused a write: ${JSON.stringify(result)}`);
}
