import type {
  ColumnDefinition,
  DefaultColumnConstraint,
  NamedColumnConstraint,
} from "sqlite3-parser";
import { showText } from "../../core/errors/show.ts";
import { type Column, CurrentTime } from "../../core/store/schema.ts";
import { sqliteStorage } from "../../core/store/storage-rules.ts";
import { type ColumnDraft, draftColumn } from "./column-draft.ts";
import { readCollation } from "./column-names.ts";
import { constantOf } from "./constant.ts";
import { placeIn, type Statement } from "./dump.ts";
import { readForeignKey } from "./read-foreign-key.ts";
import { refuseConflictClause } from "./conflict-clause.ts";

/** A column with its constraints. What is not supported of them is told of and left out. */
export function readColumn(definition: ColumnDefinition, statement: Statement): ColumnDraft {
  const draft = draftColumn(definition, statement);
  warnOfForeignType(draft, statement);
  for (const named of definition.constraints) readConstraint(named, draft, statement);
  return draft;
}

/** SQLite takes any words for a type, those included that make keys elsewhere. */
function warnOfForeignType({ type, place }: ColumnDraft, statement: Statement): void {
  if (!/\b(?:(?:BIG|SMALL)?SERIAL|AUTO_INCREMENT)\b/i.test(type)) return;
  const message = `The type ${showText(type)} generates no keys, since SQLite does not know it. For that, write INTEGER PRIMARY KEY.`;
  statement.dump.problems.warn(place, message);
}

function readConstraint(
  { constraint }: NamedColumnConstraint,
  draft: ColumnDraft,
  statement: Statement,
): void {
  const { problems } = statement.dump;
  const place = placeIn(statement, constraint);
  const owner = `the column ${showText(draft.name)}`;
  if ("conflictClause" in constraint) refuseConflictClause(constraint, statement, owner);
  switch (constraint.type) {
    case "PrimaryKeyColumnConstraint": {
      const { order, autoIncrement } = constraint;
      draft.key = { descending: order === "Desc", autoIncrement, place };
      return;
    }
    case "NotNullColumnConstraint":
      draft.notNull ||= !constraint.nullable;
      return;
    case "UniqueColumnConstraint":
      draft.unique = true;
      return;
    case "DefaultColumnConstraint":
      draft.default = readDefault(constraint, draft, statement);
      return;
    case "CollateColumnConstraint": {
      const { collationName } = constraint;
      draft.collate = readCollation(collationName.text, statement, collationName) ?? "BINARY";
      return;
    }
    case "ForeignKeyColumnConstraint":
      draft.foreignKeys.push(readForeignKey([draft.name], constraint.clause, statement));
      return;
    case "CheckColumnConstraint":
      return problems.unsupported(place, `The CHECK constraint of ${owner}`);
    case "GeneratedColumnConstraint":
      draft.isGenerated = true;
      return problems.unsupported(place, `The generated column ${showText(draft.name)}`);
    case "DeferColumnConstraint":
      // Each request is a transaction of its own, so waiting for its end changes nothing.
      return;
  }
}

function readDefault(
  { expr }: DefaultColumnConstraint,
  draft: ColumnDraft,
  statement: Statement,
): Column["default"] {
  // Without brackets, a name is a text.
  const isName = expr.type === "Id" && constantOf(expr) === undefined;
  const value = isName ? expr.name : constantOf(expr);
  if (value instanceof CurrentTime) return value;
  if (value !== undefined) {
    const fitting = sqliteStorage.fit(value, draft.affinity);
    if (value === null || fitting.ok) return fitting.ok ? fitting.value : null;
  }
  statement.dump.problems.unsupported(
    placeIn(statement, expr),
    `An expression as the default of the column ${showText(draft.name)}`,
    "the column has no default",
  );
  return undefined;
}
