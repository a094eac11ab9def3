/** Runs a contender's reads again and again, and looks at what they give. */
import { createHash } from "node:crypto";
import type { Contender, Reads } from "../contenders/contender.ts";
import { itemTypes } from "../items.ts";
import { parametersFor, type ReadName } from "../operations.ts";

type Sets = ReturnType<typeof parametersFor>;
type Rows = readonly object[];

/** Calls a read with the next of its sets of parameters. */
export type Reading = () => Rows;

/** Prepares a read of a table that was made with this many rows. */
export function readingOf(contender: Contender, name: ReadName, size: number): Reading {
  return goRound(contender, name, parametersFor(size));
}

function goRound<Name extends ReadName>(reads: Reads, name: Name, sets: Pick<Sets, Name>): Reading {
  const read = reads[name].bind(reads);
  const parameters = sets[name];
  let turn = 0;
  return () => {
    const given = parameters[turn];
    turn = turn + 1 === parameters.length ? 0 : turn + 1;
    return given === undefined ? [] : read(given);
  };
}

/** Rows that are compared in every column. Of more, the keys of all and every so many of them whole. */
const wholeRows = 1000;

/** A text that is the same for the same rows in the same order. */
export function digestOf(rows: Rows): string {
  const hash = createHash("sha256");
  const step = Math.ceil(rows.length / wholeRows);
  for (const [index, row] of rows.entries()) {
    const columns = index % step === 0 ? itemTypes.keys() : ["id"];
    hash.update(JSON.stringify(Array.from(columns, (column) => Reflect.get(row, column))));
  }
  return `${rows.length} rows, ${hash.digest("hex").slice(0, 16)}`;
}

/** How many calls of a read are compared between the contenders. */
const comparedCalls = 20;

/** A digest of what the first calls of a read give. */
export function digestOfCalls(contender: Contender, name: ReadName, size: number): string {
  const reading = readingOf(contender, name, size);
  const calls = Math.min(comparedCalls, parametersFor(size)[name].length);
  const digests = Array.from({ length: calls }, () => {
    // Only the rows of IN may come in any order: SQLite goes by its index there.
    return digestOf(name === "in" ? byId(reading()) : reading());
  });
  return digests.join("; ");
}

function idOf(row: object): number {
  return Number(Reflect.get(row, "id"));
}

function byId(rows: Rows): Rows {
  return rows.toSorted((left, right) => idOf(left) - idOf(right));
}

/** A digest of the rows with these keys. */
export function digestOfKeys(contender: Contender, keys: readonly number[]): string {
  return digestOf(keys.flatMap((id) => contender.get({ id })));
}
