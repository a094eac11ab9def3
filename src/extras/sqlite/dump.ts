import { didYouMean } from "../../core/errors/nearest-name.ts";
import { showText } from "../../core/errors/show.ts";
import type { TableSchema } from "../../core/store/schema.ts";
import type { FixtureFile } from "../../core/fixture-set/assemble.ts";
import type { DumpPlace } from "./dump-place.ts";
import type { DumpProblems } from "./dump-problems.ts";
import { DumpTable, type TableDefinition } from "./dump-table.ts";
import { foldName } from "./sql-names.ts";

/** What a dump is read with. */
export interface DumpSetup {
  readonly problems: DumpProblems;
  /** Tables of other files, whose names are taken and which foreign keys may name. */
  readonly others: readonly TableSchema[];
  /** Unix time in milliseconds, for `CURRENT_TIMESTAMP`. */
  readonly now: number;
}

/** The database that dumps describe, while they are read. Names are found in any case, as in SQLite. */
export class Dump {
  readonly problems: DumpProblems;
  readonly others: readonly TableSchema[];
  readonly now: number;
  readonly #tables = new Map<string, DumpTable>();
  /** Tables that are there in the dump and not here, because something about them is wrong or not supported. */
  readonly #missing = new Set<string>();
  readonly #told = new Set<string>();
  #serial = 0;

  constructor({ problems, others, now }: DumpSetup) {
    this.problems = problems;
    this.others = others;
    this.now = now;
  }

  get tables(): readonly DumpTable[] {
    return [...this.#tables.values()];
  }

  table(name: string): DumpTable | undefined {
    return this.#tables.get(foldName(name));
  }

  isMissing(name: string): boolean {
    return this.#missing.has(foldName(name));
  }

  add(definition: TableDefinition): void {
    const folded = foldName(definition.name);
    this.#missing.delete(folded);
    this.#tables.set(folded, new DumpTable(definition));
  }

  /** Says that the dump has a table which cannot be had here, so that what names it is not wrong for that. */
  addMissing(name: string): void {
    this.#missing.add(foldName(name));
  }

  /** The number of the next table or index that is made. */
  nextSerial(): number {
    return this.#serial++;
  }

  drop(name: string): boolean {
    const folded = foldName(name);
    return [this.#tables.delete(folded), this.#missing.delete(folded)].includes(true);
  }

  /** Lets all tables generate keys anew after their largest one. */
  forgetSequences(): void {
    for (const table of this.#tables.values()) table.sequence = undefined;
  }

  /** Whether something is said for the first time. */
  isNews(what: string): boolean {
    const isNews = !this.#told.has(what);
    this.#told.add(what);
    return isNews;
  }

  /** The table of this name. Reports that there is none, unless it is one that could not be had. */
  find(name: string, place: DumpPlace): DumpTable | undefined {
    const table = this.table(name);
    if (table !== undefined || this.isMissing(name)) return table;
    const names = this.tables.map(({ definition }) => definition.name);
    this.problems.report(place, `There is no table ${showText(name)}.${didYouMean(name, names)}`);
    return undefined;
  }
}

/** A statement that is read: where it is, and what it acts on. */
export interface Statement {
  readonly dump: Dump;
  readonly file: FixtureFile;
  /** Where it begins in the file; the parser counts from there. */
  readonly start: number;
}

/** The place in the file of a part of a statement. */
export function placeIn(
  { file, start }: Statement,
  { span }: { readonly span: { readonly offset: number } },
): DumpPlace {
  return { file, offset: start + span.offset };
}
