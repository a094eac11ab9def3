/** What Backlot and its peers are asked, and what is right. */
import { jsonQuestion, type Question } from "../chat/chat-fixtures.ts";
import {
  categoryOf,
  type Item,
  mix,
  type NewItem,
  newItem,
  pageSize,
  priceLimit,
  priceOf,
} from "../items.ts";
import { makeItems } from "../items-file.ts";

export const chunks = 50;

/** Words as long as a chunk: some parse a text into words, others cut it. */
const fiftyWords = Array.from({ length: chunks }, (_, index) => `Word-${index}`.padEnd(19, "."));

/** Its gap is that of openai-mock-api, which has no other. */
export const pacedQuestion: Question = {
  user: "Tell me of fifty teas",
  content: fiftyWords.join(" "),
  stream: true,
  gapMs: 50,
};

export const asked: readonly Question[] = [jsonQuestion, pacedQuestion];

export const servedItems: readonly Item[] = makeItems(1000);

/** A page of those in a range of prices, by price. Pages count from 1. */
export interface RangePage {
  readonly from: number;
  readonly to: number;
  readonly page: number;
}

/** How a peer is asked for rows. */
export interface Targets {
  readonly rows: string;
  readonly range: (page: RangePage) => string;
  /** The first page of a category, by price. */
  readonly equal: (category: string) => string;
}

/** A request by its target, and the rows that answer it. */
export interface Asked {
  readonly target: string;
  readonly rows: readonly NewItem[];
}

type TableKind = "key" | "range" | "equal" | "post";

const count = 64;

const byPrice = servedItems.toSorted((left, right) => left.price - right.price);

function several(use: number, make: (random: number) => Asked): readonly Asked[] {
  return Array.from({ length: count }, (_, index) => make(mix(index, use)));
}

export const postedItem = newItem(4059);

/** Different ones of each kind, so that an answer that is kept helps little. */
export const tableKinds: Readonly<Record<TableKind, (targets: Targets) => readonly Asked[]>> = {
  key: ({ rows }) =>
    several(73, (random) => {
      const item = servedItems[random % servedItems.length];
      if (item === undefined) throw new Error("There are no rows.");
      return { target: `${rows}/${item.id}`, rows: [item] };
    }),
  range: ({ range }) =>
    several(71, (random) => {
      const from = Math.floor(priceOf(random) / 2);
      const to = from + priceLimit / 2;
      const page = 1 + (mix(random, 70) % 5);
      const all = byPrice.filter(({ price }) => price >= from && price <= to);
      const rows = all.slice((page - 1) * pageSize, page * pageSize);
      return { target: range({ from, to, page }), rows };
    }),
  equal: ({ equal }) =>
    several(72, (random) => {
      const wanted = categoryOf(random);
      const rows = byPrice.filter(({ category }) => category === wanted).slice(0, pageSize);
      return { target: equal(wanted), rows };
    }),
  post: ({ rows }) => [{ target: rows, rows: [postedItem] }],
};
