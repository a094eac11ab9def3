import { isObject, parseJson } from "../../schema/json.ts";
import { negatedName, operatorNamed, valueWithOperator } from "./operator-words.ts";
import {
  columnMeant,
  filter,
  type HabitScope,
  joinMeanings,
  type Meaning,
  nearestColumn,
  plainWord,
  type SentParameter,
  unquoted,
} from "./scope.ts";

/** A column, and another tool's operator on it. */
interface ForeignName {
  readonly column: string;
  /** The operator as written after the column's name: `[gte]`, `__gte`, `>`. Empty: equality. */
  readonly operator: string;
}

/** What a filter in another tool's notation means: `views[gte]=10`, `filter[name]=Ada`, `min_views=10`, `id[]=1`. */
export function foreignFilter(
  { name, values }: SentParameter,
  scope: HabitScope,
): Meaning | undefined {
  const all = values.length === 1 ? expandSign(name, values[0] ?? "") : { name, values };
  const read = readName(all.name, scope);
  if (read === undefined) return undefined;
  const { column, operator } = read;
  // `id[]` and `id[0]` are the items of a list, `ids` is a list.
  if (/^\[?\d*\]?$/.test(operator) && operator !== "") return filter(column, "in", ...all.values);
  const meanings = all.values.map((value) => meaningOf(column, operator, value, scope));
  const known = meanings.filter((one) => one !== undefined);
  return known.length === 0 ? undefined : known.reduce(joinMeanings);
}

function meaningOf(
  column: string,
  operator: string,
  value: string,
  scope: HabitScope,
): Meaning | undefined {
  const inValue = valueWithOperator(column, value, scope);
  if (operator === "") return inValue ?? operatorNamed("eq")?.(column, value, scope);
  const [, negated] = /^[._:]?not[._:](\w+)$/i.exec(operator) ?? [];
  return operatorNamed(negated === undefined ? operator : negatedName(negated))?.(
    column,
    value,
    scope,
  );
}

/** `views>10` arrives as a name alone, and `views>=10` as `views>` with a value. */
function expandSign(name: string, value: string): SentParameter {
  const [, column = "", sign = "", behind = ""] = /^([^<>!~]+)([<>!~]=?)(.*)$/s.exec(name) ?? [];
  if (sign === "") return { name, values: [value] };
  if (behind !== "")
    return { name: column + sign, values: [value === "" ? behind : `${behind}=${value}`] };
  // The `=` before the value belongs to the sign, if there is a value.
  return {
    name: column + (value === "" || sign.endsWith("=") ? sign : `${sign}=`),
    values: [value],
  };
}

const wrappers = /^(?:filters?|_?where|query|q|match|conditions?|f|search|criteria|qs)$/i;

function readName(name: string, scope: HabitScope): ForeignName | undefined {
  const [, head = "", brackets = ""] = /^([^[\]]*)((?:\[[^[\]]*\])*)$/.exec(name) ?? [];
  const keys = [...brackets.matchAll(/\[([^[\]]*)\]/g)].map(([, key = ""]) => key);
  const [first = "", ...more] = keys;
  const column = columnMeant(head, scope);
  if (column === undefined && wrappers.test(head) && first !== "") {
    return readKeys([first, ...more], scope);
  }
  if (keys.length > 0) return readKeys([head, ...keys], scope);
  if (column !== undefined) return { column, operator: "" };
  const [, wrapped] = /^(?:filters?|where)[._:](.+)$/i.exec(name) ?? [];
  return readSuffix(name, scope) ?? (wrapped === undefined ? undefined : readPlain(wrapped, scope));
}

/** `[views][gte]`: a column and its operator; an index or empty brackets mean an item of a list. */
function readKeys(keys: readonly string[], scope: HabitScope): ForeignName | undefined {
  const [name = "", ...rest] = keys;
  const [operator] = rest.filter((key) => !/^\d*$/.test(key));
  const column = nearestColumn(name, scope);
  if (column !== undefined && operator === undefined) {
    return { column, operator: rest.length === 0 ? "" : "[]" };
  }
  if (column !== undefined && operator !== undefined && operatorNamed(operator) !== undefined) {
    return { column, operator };
  }
  return rest.length === 0 ? readSuffix(name, scope) : undefined;
}

function readPlain(name: string, scope: HabitScope): ForeignName | undefined {
  const column = columnMeant(name, scope);
  return column === undefined ? readSuffix(name, scope) : { column, operator: "" };
}

/** Reads a column with an operator after or before it: `views_gte`, `views__gte`, `viewsGte`, `min_views`, `ids`. */
function readSuffix(name: string, scope: HabitScope): ForeignName | undefined {
  const names = scope.schema.columns.map((column) => column.name);
  const longest = names.toSorted((left, right) => right.length - left.length);
  const bare = name.startsWith(`${scope.schema.name}.`)
    ? name.slice(scope.schema.name.length + 1)
    : name;
  for (const column of longest) {
    if (bare.toLowerCase() === column.toLowerCase()) return { column, operator: "" };
    const behind = operatorAround(bare, column);
    if (behind !== undefined) return { column, operator: behind };
  }
  if (longest.includes(bare.slice(0, -1)) && /s$/i.test(bare)) {
    return { column: bare.slice(0, -1), operator: "in" };
  }
  return readNearly(bare, scope);
}

const separators = /^(?:__|[._:\-[$<>=!~^*]|\.not\.)/;

function operatorAround(name: string, column: string): string | undefined {
  if (name.toLowerCase().startsWith(column.toLowerCase())) {
    const behind = name.slice(column.length);
    const isApart = separators.test(behind) || /^[A-Z]/.test(behind);
    if (isApart && isOperator(behind)) return behind;
  }
  const [, before = "", rest = ""] =
    /^(min|max|from|to|not|since|until|before|after)[._-]?(.+)$/i.exec(name) ?? [];
  return before !== "" && plainWord(rest) === plainWord(column) ? before : undefined;
}

function isOperator(behind: string): boolean {
  return operatorNamed(behind) !== undefined || /^[._:]?not[._:]/i.test(behind);
}

/** A mistyped column with a clear operator: `viws[gte]`, `viws:gte`. */
function readNearly(name: string, scope: HabitScope): ForeignName | undefined {
  const [, text = "", operator = ""] = /^(\w+?)((?:__|[:.])\$?\w+)$/.exec(name) ?? [];
  if (operatorNamed(operator) === undefined) return undefined;
  const column = nearestColumn(text, scope);
  return column === undefined ? undefined : { column, operator };
}

const eachOfItsOwn =
  "Write each condition as a parameter of its own, <column>.<operator>=<value>; all of them must match.";
const noOr =
  "All conditions must match: for OR write <column>.in=<a>,<b>, or send a request for each.";

/** What conditions in one parameter mean: `$filter=views gt 10`, `where={"views":{"gt":10}}`, `filter=views>10`. */
export function foreignExpression(text: string, scope: HabitScope): Meaning {
  const json = /^\s*[[{]/.test(text) ? parseJson(text) : undefined;
  if (json !== undefined) return jsonConditions(json, scope) ?? { say: eachOfItsOwn };
  if (/\sor\s|\|\|/i.test(text)) return { say: noOr };
  const pieces = text.split(/\s+and\s+|&&|;/i).flatMap((piece) => splitAtConditions(piece));
  const meanings = pieces.map((piece) => readCondition(piece.trim(), scope));
  const known = meanings.filter((one) => one !== undefined);
  if (known.length < meanings.length || known.length === 0) return { say: eachOfItsOwn };
  return known.reduce(joinMeanings);
}

/** A comma separates conditions only where another one follows. */
function splitAtConditions(text: string): readonly string[] {
  return text.split(/,(?=\s*[\w.]+\s*(?:[<>=!:~]|\.\w+\.|\s\w+\s))/);
}

function readCondition(text: string, scope: HabitScope): Meaning | undefined {
  const call = /^(\w+)\(\s*([\w.'"]+)\s*,\s*(.+?)\s*\)$/s.exec(text);
  if (call !== null) return readCall(call, scope);
  const sign = /^([\w."'`]+)\s*(>=|<=|<>|!=|==|=|>|<|~)\s*(.+)$/s.exec(text);
  const word = /^([\w"'`]+)(?:\s+|[:.])(?:\$?(\w+)(?:\s+|[:.]))?(.+)$/s.exec(text);
  const [, name = "", operator = "eq", value = ""] = sign ?? word ?? [];
  const column = columnMeant(name, scope);
  const meant = operatorNamed(operator);
  if (column === undefined || meant === undefined) return undefined;
  return meant(column, unquoted(value.trim()), scope);
}

/** `contains(name, 'Ada')` of OData; other tools have the arguments in the other order. */
function readCall(
  [, operator = "", one = "", other = ""]: RegExpExecArray,
  scope: HabitScope,
): Meaning | undefined {
  const [name, value] = columnMeant(one, scope) === undefined ? [other, one] : [one, other];
  const column = columnMeant(name, scope);
  const word = operator === "substringof" ? "contains" : operator;
  if (column === undefined) return undefined;
  return operatorNamed(word)?.(column, unquoted(value.trim()), scope);
}

function jsonConditions(json: unknown, scope: HabitScope): Meaning | undefined {
  if (Array.isArray(json)) return joined(json.map((one) => jsonConditions(one, scope)));
  if (!isObject(json)) return undefined;
  return joined(Object.entries(json).map(([name, value]) => jsonCondition(name, value, scope)));
}

function jsonCondition(name: string, value: unknown, scope: HabitScope): Meaning | undefined {
  const word = plainWord(name);
  if (/^(?:where|and|filter)$/.test(word)) return jsonConditions(value, scope);
  if (word === "or") return { say: noOr };
  const column = columnMeant(name, scope);
  if (column === undefined) return undefined;
  if (Array.isArray(value)) return filter(column, "in", ...value.map(String));
  if (!isObject(value)) return operatorNamed("eq")?.(column, String(value), scope);
  return joined(
    Object.entries(value).map(([operator, operand]) => {
      const text = Array.isArray(operand) ? operand.map(String).join(",") : String(operand);
      return operatorNamed(operator)?.(column, text, scope);
    }),
  );
}

/** Joins meanings; undefined if one of them is unknown. */
function joined(meanings: readonly (Meaning | undefined)[]): Meaning | undefined {
  const known = meanings.filter((one) => one !== undefined);
  if (known.length === 0 || known.length < meanings.length) return undefined;
  return known.reduce(joinMeanings);
}
