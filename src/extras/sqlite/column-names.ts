import type { Expr, SortedColumn } from "sqlite3-parser";
import { didYouMean } from "../../core/errors/nearest-name.ts";
import { showText } from "../../core/errors/show.ts";
import type { Collation } from "../../core/store/schema.ts";
import { placeIn, type Statement } from "./dump.ts";
import { foldName } from "./sql-names.ts";

interface Named {
  readonly name: string;
  /** Whether the column is left out, and what is said of it with it. */
  readonly isGenerated?: boolean;
}

/** The column of this name in any case. Reports that there is none, or none here. */
export function findColumn<Column extends Named>(
  name: string,
  columns: readonly Column[],
  { statement, node }: { readonly statement: Statement; readonly node: Spanned },
): Column | undefined {
  const folded = foldName(name);
  const column = columns.find((candidate) => foldName(candidate.name) === folded);
  const { problems } = statement.dump;
  const place = placeIn(statement, node);
  if (column?.isGenerated === true) {
    problems.unsupported(place, `A key or an index with the generated column ${showText(name)}`);
    return undefined;
  }
  if (column !== undefined) return column;
  const near = didYouMean(
    name,
    columns.map((candidate) => candidate.name),
  );
  problems.report(place, `There is no column ${showText(name)}.${near}`);
  return undefined;
}

/** A part of a statement. */
export interface Spanned {
  readonly span: { readonly offset: number };
}

/** A column of a key or an index, as it is written. */
export interface KeyPart {
  readonly name: string;
  /** Undefined: that of the column. */
  readonly collation: string | undefined;
  readonly descending: boolean;
  readonly node: Expr;
}

/** The part of a key that is a plain column; undefined for an expression. */
export function keyPartOf({ expr, order }: SortedColumn): KeyPart | undefined {
  const isCollated = expr.type === "CollateExpr";
  const inner = isCollated ? expr.expr : expr;
  const collation = isCollated ? expr.collation : undefined;
  const common = { collation, descending: order === "Desc", node: expr };
  if (inner.type === "Id") return { name: inner.name, ...common };
  // SQLite takes a text for a name here.
  return inner.type === "StringLiteral" ? { name: inner.value, ...common } : undefined;
}

const collations: readonly Collation[] = ["BINARY", "NOCASE", "RTRIM"];

/** The collation of this name. Tells that one is not supported, and gives none then. */
export function readCollation(
  name: string,
  statement: Statement,
  node: Spanned,
): Collation | undefined {
  const collation = collations.find((known) => known === name.toUpperCase());
  if (collation !== undefined) return collation;
  statement.dump.problems.unsupported(
    placeIn(statement, node),
    `The collation ${showText(name)}`,
    "BINARY takes its place",
  );
  return undefined;
}
