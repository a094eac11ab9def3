import { equalOrderValues } from "../../store/operand.ts";
import { type Condition, allowedBy, operators } from "../../store/operators.ts";
import { comparisonRules, orderKey } from "../../store/order-value.ts";
import {
  asPattern,
  booleanMeant,
  fitsColumn,
  nullMeaning,
  isNullWord,
  rangeEnds,
  valueWithOperator,
} from "./operator-words.ts";
import {
  columnOf,
  filter,
  type HabitScope,
  isNumber,
  joinMeanings,
  listItems,
  type Meaning,
  unquoted,
} from "./scope.ts";

/**
 * What valid filters on one column mean that match no row, because they contradict each other or use another tool's
 * notation.
 */
export function meantInstead(
  conditions: readonly Condition[],
  scope: HabitScope,
): Meaning | undefined {
  const single = conditions.map((one) => valueMeant(one, scope)).filter((one) => one !== undefined);
  if (single.length > 0) return single.reduce(joinMeanings);
  return conditions.length > 1 ? neverTogether(conditions, scope) : undefined;
}

function valueMeant(condition: Condition, scope: HabitScope): Meaning | undefined {
  if ("values" in condition) return listMeant(condition, scope);
  const { column, operator, value } = condition;
  if (operators[operator].takes === "pattern") return patternMeant(column, value);
  const allowed = allowedBy(condition);
  if (allowed === undefined) return undefined;
  const isFitting = fitsColumn(column, value, scope);
  if (allowed.kind === "range") {
    if (isFitting) return undefined;
    return isNullWord(value) ? nullMeaning(column) : noNumber(column, value, scope);
  }
  return (
    equalityMeant(column, value, scope) ?? (isFitting ? undefined : noNumber(column, value, scope))
  );
}

/** An equality in another tool's notation: `eq.Ada`, `1,2`, `[1,2]`, `null`, `yes`, `Ad*`, `10..20`, `"Ada"`. */
function equalityMeant(column: string, value: string, scope: HabitScope): Meaning | undefined {
  if (isNullWord(value)) return nullMeaning(column);
  const named = valueWithOperator(column, value, scope);
  if (named !== undefined) return named;
  const truth = booleanMeant(column, value, scope);
  if (truth !== undefined) return truth === value ? undefined : filter(column, "eq", truth);
  if (!fitsColumn(column, value, scope)) {
    const ends = rangeEnds(value);
    if (ends?.every((end) => fitsColumn(column, end, scope))) {
      return joinMeanings(filter(column, "gte", ends[0]), filter(column, "lte", ends[1]));
    }
  }
  return textMeant(column, value, scope);
}

function textMeant(column: string, value: string, scope: HabitScope): Meaning | undefined {
  const items = listItems(value);
  const isList = items.length > 1 || /^\s*[([].*[)\]]\s*$/s.test(value);
  if (isList && items.length > 0 && items.every((item) => fitsColumn(column, item, scope))) {
    return filter(column, "in", ...items);
  }
  if (/[*%]/.test(value) && !isNumber(value)) return filter(column, "like", asPattern(value));
  const bare = unquoted(value);
  return bare === value ? undefined : filter(column, "eq", bare);
}

/** A list in another notation: `(1,2)`, `["a","b"]`, `1;2`. */
function listMeant(
  { column, operator, values }: Extract<Condition, { readonly values: unknown }>,
  scope: HabitScope,
): Meaning | undefined {
  if (values.some(isNullWord)) {
    const others = values.filter((value) => !isNullWord(value));
    return {
      filters: filter(column, operator, ...others).filters ?? [],
      say: nullMeaning(column).say,
    };
  }
  const written = values.join(",");
  const items = listItems(written);
  const isSame = items.join(",") === written;
  if (!isSame) return filter(column, operator, ...items);
  const odd = values.find((value) => !fitsColumn(column, value, scope));
  return odd === undefined ? undefined : noNumber(column, odd, scope);
}

/** A pattern without wildcards matches whole values only. */
function patternMeant(column: string, pattern: string): Meaning | undefined {
  if (pattern === "" || /[%_]/.test(pattern)) return undefined;
  const other = asPattern(pattern);
  return filter(column, "like", other.includes("%") ? other : `%${other}%`);
}

function noNumber(column: string, value: string, scope: HabitScope): Meaning {
  const type = columnOf(column, scope)?.type ?? "";
  if (value === "") {
    return {
      say: `${column} is of type ${type}, so an empty value matches nothing: leave out ${column}.`,
    };
  }
  const isBoolean = scope.storage.kindOf(type) === "BOOLEAN";
  const takes = isBoolean ? "true or false" : "a number";
  const lost = /^(?:undefined|nan|\[object .*)$/i.test(value)
    ? " It looks as if the client had no value."
    : "";
  return {
    say: `${column} is of type ${type}, so ${JSON.stringify(value.slice(0, 60))} matches nothing: write ${takes}.${lost}`,
  };
}

/** Conditions that can each match, but never all together: two equalities, a list without the value, an empty range. */
function neverTogether(conditions: readonly Condition[], scope: HabitScope): Meaning | undefined {
  const column = conditions[0]?.column ?? "";
  const known = columnOf(column, scope);
  if (known === undefined) return undefined;
  const rules = comparisonRules(known, scope.storage.kindOf);
  const keysOf = (text: string): readonly string[] =>
    equalOrderValues(text, rules).flatMap((value) => orderKey(value) ?? []);
  const lists = conditions.flatMap((one) => {
    const allowed = allowedBy(one);
    return allowed?.kind === "points" ? [allowed.texts] : [];
  });
  if (lists.length === 0) return swappedEnds(conditions);
  if (lists.length === 1) return undefined;
  const [first = [], ...others] = lists;
  const common = first.filter((value) =>
    others.every((list) =>
      list.some((item) => keysOf(item).some((key) => keysOf(value).includes(key))),
    ),
  );
  if (common.length > 0) return undefined;
  const values = [...new Set(lists.flat())];
  if (values.some((value) => value.includes(","))) {
    return { say: `No ${column} has two values: send a request for each.` };
  }
  return filter(column, "in", ...values);
}

/** A range whose ends are the wrong way round. */
function swappedEnds(conditions: readonly Condition[]): Meaning | undefined {
  const comparisons = conditions.flatMap((one) => ("values" in one ? [] : [one]));
  const endsAt = (end: "low" | "high"): (typeof comparisons)[number] | undefined =>
    comparisons.find((one) => {
      const allowed = allowedBy(one);
      return allowed?.kind === "range" && allowed[end] !== undefined;
    });
  const lower = endsAt("low");
  const upper = endsAt("high");
  if (lower === undefined || upper === undefined) return undefined;
  if (!isNumber(lower.value) || !isNumber(upper.value)) return undefined;
  if (Number(lower.value) <= Number(upper.value)) return undefined;
  return joinMeanings(
    filter(lower.column, lower.operator, upper.value),
    filter(upper.column, upper.operator, lower.value),
  );
}
