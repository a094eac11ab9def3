/** A model of `@mswjs/data`, the 0.x line of the same library. */
import type { Item, NewItem } from "../items.ts";
import { pageSize, type ReadParameters } from "../operations.ts";
import type { Contender, ItemChanges } from "./contender.ts";
import { importPackage } from "./package.ts";

interface Tests {
  readonly equals?: unknown;
  readonly in?: readonly unknown[];
  readonly contains?: string;
  readonly gte?: number;
  readonly lt?: number;
}

interface Query {
  readonly where?: { readonly [Column in keyof Item]?: Tests };
  readonly take?: number;
  readonly skip?: number;
  readonly orderBy?: { readonly [Column in keyof Item]?: "asc" | "desc" };
}

/** What is used here of a model. */
interface Model {
  readonly create: (item: Item) => Item;
  readonly findFirst: (query: Query) => Item | null;
  readonly findMany: (query: Query) => Item[];
  readonly update: (query: Query & { readonly data: ItemChanges }) => Item | null;
  readonly delete: (query: Query) => Item | null;
}

interface MswjsDataPackage {
  readonly factory: (models: object) => { readonly item: Model };
  readonly primaryKey: (make: () => unknown) => unknown;
}

export async function makeMswjsData(items: readonly Item[]): Promise<Contender> {
  const { factory, primaryKey } = await importPackage<MswjsDataPackage>("@mswjs/data");
  const { item: model } = factory({
    item: {
      id: primaryKey(Number),
      name: String,
      email: String,
      category: String,
      price: Number,
      stock: Number,
      created: String,
    },
  });
  for (const item of items) model.create(item);
  return new MswjsData(model);
}

class MswjsData implements Contender {
  readonly #items: Model;

  constructor(items: Model) {
    this.#items = items;
  }

  get({ id }: ReadParameters["get"]): readonly object[] {
    const row = this.#items.findFirst({ where: { id: { equals: id } } });
    return row === null ? [] : [row];
  }

  equal({ category }: ReadParameters["equal"]): readonly object[] {
    return this.#items.findMany({ where: { category: { equals: category } }, take: pageSize });
  }

  range({ from, to, offset }: ReadParameters["range"]): readonly object[] {
    return this.#items.findMany({
      where: { price: { gte: from, lt: to } },
      orderBy: { price: "asc" },
      skip: offset,
      take: pageSize,
    });
  }

  resorted({ from, to, offset }: ReadParameters["range"]): readonly object[] {
    return this.#items.findMany({
      where: { price: { gte: from, lt: to } },
      orderBy: { created: "asc" },
      skip: offset,
      take: pageSize,
    });
  }

  like({ part }: ReadParameters["like"]): readonly object[] {
    return this.#items.findMany({ where: { name: { contains: part } } });
  }

  in({ emails }: ReadParameters["in"]): readonly object[] {
    return this.#items.findMany({ where: { email: { in: emails } } });
  }

  top(): readonly object[] {
    return this.#items.findMany({ orderBy: { created: "desc" }, take: pageSize });
  }

  fullSort(): readonly object[] {
    return this.#items.findMany({ orderBy: { price: "asc" } });
  }

  insert(given: NewItem, id: number): unknown {
    return this.#items.create({ id, ...given });
  }

  update(id: number, data: ItemChanges): unknown {
    return this.#items.update({ where: { id: { equals: id } }, data });
  }

  delete(id: number): unknown {
    return this.#items.delete({ where: { id: { equals: id } } });
  }
}
