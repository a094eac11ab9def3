import { type Condition, type Operator, textsOf } from "../../src/core/store/operators.ts";

type Written = (column: string, places: readonly string[]) => string;

const compared =
  (symbol: string): Written =>
  (column, [place = ""]) =>
    `${column} ${symbol} ${place}`;

/** How SQLite, the judge of the store, is asked what each operator asks. */
const written: Readonly<Record<Operator, Written>> = {
  eq: compared("="),
  ne: compared("!="),
  gt: compared(">"),
  gte: compared(">="),
  lt: compared("<"),
  lte: compared("<="),
  like: compared("LIKE"),
  in: (column, places) => `${column} IN (${places.join(", ")})`,
};

/** A condition in SQL. `bind` keeps a value and gives its place in the statement. */
export function conditionSql(
  column: string,
  condition: Condition,
  bind: (value: string) => string,
): string {
  return written[condition.operator](column, textsOf(condition).map(bind));
}
