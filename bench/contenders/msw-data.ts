/** A Collection of `@msw/data`, with a schema that takes everything: no time goes into checking. */
import type { Item, NewItem } from "../items.ts";
import { pageSize, type ReadParameters } from "../operations.ts";
import type { Contender, ItemChanges } from "./contender.ts";
import { importPackage } from "./package.ts";

type Test<Value> = Value | ((value: Value) => boolean);

interface Query {
  readonly where: (tests: { readonly [Column in keyof Item]?: Test<Item[Column]> }) => Query;
}

interface FindOptions {
  readonly take?: number;
  readonly skip?: number;
  readonly orderBy?: { readonly [Column in keyof Item]?: "asc" | "desc" };
}

/** What is used here of a collection. */
interface Collection {
  readonly create: (item: Item) => Promise<Item>;
  readonly findFirst: (query: (query: Query) => Query) => Item | undefined;
  readonly findMany: (query?: (query: Query) => Query, options?: FindOptions) => Item[];
  readonly update: (
    query: (query: Query) => Query,
    options: { readonly data: (draft: { price: number; stock: number }) => void },
  ) => Promise<Item | undefined>;
  readonly delete: (query: (query: Query) => Query) => Item | undefined;
}

interface MswDataPackage {
  readonly Collection: new (options: { readonly schema: object }) => Collection;
}

const anything = {
  "~standard": { version: 1, vendor: "bench", validate: (value: unknown) => ({ value }) },
};

export async function makeMswData(items: readonly Item[]): Promise<Contender> {
  const { Collection } = await importPackage<MswDataPackage>("@msw/data");
  const collection = new Collection({ schema: anything });
  for (const item of items) await collection.create({ ...item });
  return new MswData(collection);
}

class MswData implements Contender {
  readonly #items: Collection;

  constructor(items: Collection) {
    this.#items = items;
  }

  get({ id }: ReadParameters["get"]): readonly object[] {
    const row = this.#items.findFirst((query) => query.where({ id }));
    return row === undefined ? [] : [row];
  }

  equal({ category }: ReadParameters["equal"]): readonly object[] {
    return this.#items.findMany((query) => query.where({ category }), { take: pageSize });
  }

  range({ from, to, offset }: ReadParameters["range"]): readonly object[] {
    return this.#items.findMany(
      (query) => query.where({ price: (price) => price >= from && price < to }),
      { orderBy: { price: "asc" }, skip: offset, take: pageSize },
    );
  }

  resorted({ from, to, offset }: ReadParameters["range"]): readonly object[] {
    return this.#items.findMany(
      (query) => query.where({ price: (price) => price >= from && price < to }),
      { orderBy: { created: "asc" }, skip: offset, take: pageSize },
    );
  }

  like({ part }: ReadParameters["like"]): readonly object[] {
    const pattern = new RegExp(part, "i");
    return this.#items.findMany((query) => query.where({ name: (name) => pattern.test(name) }));
  }

  in({ emails }: ReadParameters["in"]): readonly object[] {
    return this.#items.findMany((query) =>
      query.where({ email: (email) => emails.includes(email) }),
    );
  }

  top(): readonly object[] {
    return this.#items.findMany(undefined, { orderBy: { created: "desc" }, take: pageSize });
  }

  fullSort(): readonly object[] {
    return this.#items.findMany(undefined, { orderBy: { price: "asc" } });
  }

  insert(given: NewItem, id: number): Promise<unknown> {
    return this.#items.create({ id, ...given });
  }

  update(id: number, { price, stock }: ItemChanges): Promise<unknown> {
    return this.#items.update((query) => query.where({ id }), {
      data: (draft) => {
        draft.price = price;
        draft.stock = stock;
      },
    });
  }

  delete(id: number): unknown {
    return this.#items.delete((query) => query.where({ id }));
  }
}
