import {
  filter,
  type HabitScope,
  isNumber,
  joinMeanings,
  listItems,
  type Meaning,
  unquoted,
} from "./scope.ts";

/** The meaning of another tool's operator for a column and a value. */
type OperatorMeaning = (column: string, value: string, scope: HabitScope) => Meaning;

const nullWord = /^(?:null|nil|none|\\n)$/i;
const no = /^(?:false|no|0|off|f)$/i;

/** Whether a value stands for NULL. */
export function isNullWord(value: string): boolean {
  return nullWord.test(value.trim());
}

/** Advice on a filter for NULL, which no operator finds. */
export function nullMeaning(column: string): Meaning {
  return {
    say:
      `NULL matches no operator: leave out this filter and write sort_by=${column}, ` +
      `which puts the rows without ${column} first.`,
  };
}

/** A filter that every value but NULL passes. */
export function notNullMeaning(column: string): Meaning {
  return filter(column, "like", "%");
}

function like(column: string, pattern: string): Meaning {
  return filter(column, "like", pattern);
}

/** A pattern with `%` in place of the `*` of other tools. */
export function asPattern(value: string): string {
  return unquoted(value).replaceAll("*", "%");
}

function part(column: string, value: string): Meaning {
  const pattern = asPattern(value);
  return like(column, pattern.includes("%") ? pattern : `%${pattern}%`);
}

function expression(column: string, value: string): Meaning {
  const inner = value
    .replace(/^\^|^\/(.*)\/\w*$/, "$1")
    .replace(/\$$/, "")
    .replaceAll(".*", "%");
  const start = value.startsWith("^") ? "" : "%";
  const end = value.endsWith("$") ? "" : "%";
  const pattern = `${start}${inner}${end}`.replaceAll(/%+/g, "%");
  return { ...like(column, pattern), say: "Filters know no regular expressions." };
}

const equal: OperatorMeaning = (column, value, scope) => {
  if (isNullWord(value)) return nullMeaning(column);
  if (/^not[ ._]?null$/i.test(value)) return notNullMeaning(column);
  return filter(column, "eq", plainValue(column, value, scope));
};

const unequal: OperatorMeaning = (column, value, scope) =>
  isNullWord(value)
    ? notNullMeaning(column)
    : filter(column, "ne", plainValue(column, value, scope));

const compare =
  (operator: "gt" | "gte" | "lt" | "lte"): OperatorMeaning =>
  (column, value) =>
    filter(column, operator, unquoted(value));

const among: OperatorMeaning = (column, value) => filter(column, "in", ...listItems(value));

const notAmong: OperatorMeaning = (column, value) => ({
  filters: listItems(value).map((item) => ({ column, operator: "ne", values: [item] })),
});

const between: OperatorMeaning = (column, value) => {
  const [from = "", to = ""] = rangeEnds(value) ?? listItems(value);
  if (from === "" || to === "") return { say: `Write ${column}.gte=<from>&${column}.lte=<to>.` };
  return joinMeanings(filter(column, "gte", from), filter(column, "lte", to));
};

/** The ends of `10..20`, `10-20`, `10:20`, `10 and 20` or `10 to 20`. */
export function rangeEnds(value: string): readonly [string, string] | undefined {
  const separator = /\s*(?:\.{2,3}|\s(?:and|to)\s|(?<=\d)[-:](?=[+-]?\d))\s*/i;
  const [from, to, more] = value.split(separator);
  return from === undefined || to === undefined || more !== undefined ? undefined : [from, to];
}

const absent: OperatorMeaning = (column, value) =>
  no.test(value.trim()) ? notNullMeaning(column) : nullMeaning(column);

const present: OperatorMeaning = (column, value) =>
  no.test(value.trim()) ? nullMeaning(column) : notNullMeaning(column);

const noNegation: OperatorMeaning = (column) => ({
  say: `There is no opposite of like: write ${column}.ne for each text to leave out.`,
});

/** The operators of other tools, without case, separators and `$`. */
const rows: readonly (readonly [names: string, meaning: OperatorMeaning])[] = [
  ["eq equal equals exact iexact is = ==", equal],
  ["ne neq nteq not noteq noteqs notequal notequals isnot nequal isdistinct ! != <>", unequal],
  ["gt greater greaterthan above morethan more after over >", compare("gt")],
  ["gte ge gteq goe min from since atleast greaterorequal greaterthanorequal >=", compare("gte")],
  ["lt less lessthan below before under <", compare("lt")],
  ["lte le lteq loe max to until upto atmost lessorequal lessthanorequal <=", compare("lte")],
  [
    "like ilike nocase contains icontains contain containing includes include has search substring substr cs cont cont ct ~ *",
    part,
  ],
  [
    "startswith istartswith starts startwith beginswith prefix sw ^",
    (column, value) => like(column, `${asPattern(value)}%`),
  ],
  [
    "endswith iendswith ends endwith suffix ew $",
    (column, value) => like(column, `%${asPattern(value)}`),
  ],
  ["regex iregex regexp match matches imatch rlike ~*", expression],
  ["in any oneof anyof isin inlist list", among],
  ["nin notin noneof notinlist ni", notAmong],
  ["notlike nlike notilike nilike notcontains ncontains doesnotcontain", noNegation],
  ["between btw range", between],
  ["null isnull nil isnil isempty empty blank missing", absent],
  ["notnull isnotnull notempty present exists", present],
];

const words: ReadonlyMap<string, OperatorMeaning> = new Map(
  rows.flatMap(([names, meaning]) => names.split(" ").map((name) => [name, meaning] as const)),
);

/** The meaning of an operator after a column's name: `[gte]`, `__gte`, `:gte`, `_gte`, `.$gte`, `Gte` or `>`. */
export function operatorNamed(text: string): OperatorMeaning | undefined {
  const word = text.toLowerCase().replaceAll(/[^a-z<>=!~^*]/g, "");
  return words.get(word === "" && text.includes("$") ? "$" : word);
}

const knownWords = [...words.keys()].filter((word) => /^[a-z]/.test(word));
const prefixed = new RegExp(`^(not[. _])?\\$?(${knownWords.join("|")})[.:(](.*)$`, "is");
const signed = /^(>=|<=|!=|<>|==|=|>|<|!|~)(.+)$/s;
/** The operator names that rarely begin an ordinary text, unlike `from:` or `before.`. */
const unambiguous =
  /^(?:eq|neq|ne|gte?|lte?|ge|le|like|ilike|in|is|match|imatch|between|contains|starts_?with|ends_?with|n?in)$/i;

/** The meaning of a value that contains an operator: `eq.Ada`, `not.in.(1,2)`, `gte:10`, `>10`. */
export function valueWithOperator(
  column: string,
  value: string,
  scope: HabitScope,
): Meaning | undefined {
  const [, sign = "", behind = ""] = signed.exec(value) ?? [];
  if (sign !== "") return operatorNamed(sign)?.(column, behind.trim(), scope);
  const [, negation, word, text] = prefixed.exec(value) ?? [];
  if (word === undefined || text === undefined || !isOperand(word, text)) return undefined;
  // In `in(1,2)`, the parenthesis stands in place of the dot.
  const operand = text.endsWith(")") && value.includes(`${word}(`) ? text.slice(0, -1) : text;
  const name = negation === undefined ? word : negatedName(word);
  return operatorNamed(name)?.(column, operand, scope);
}

/**
 * Whether a word before a separator is meant as an operator. `is` and `in` begin many ordinary texts, so their operands
 * are checked, too.
 */
function isOperand(word: string, text: string): boolean {
  if (!unambiguous.test(word)) return false;
  if (/^is$/i.test(word)) return /^(?:not[. ]?)?(?:null|true|false|unknown)$/i.test(text);
  return /^n?in$/i.test(word) ? /^[([]?.*[)\]]$/s.test(text) : text !== "";
}

/** `not.eq` is `ne`, `not.is` with null is every value. */
export function negatedName(word: string): string {
  const opposites: Readonly<Record<string, string>> = {
    eq: "ne",
    is: "ne",
    gt: "lte",
    gte: "lt",
    lt: "gte",
    lte: "gt",
  };
  return opposites[word.toLowerCase()] ?? `not${word}`;
}

/** A value without quotes; in a BOOLEAN column, one of its two values. */
function plainValue(column: string, value: string, scope: HabitScope): string {
  return booleanMeant(column, value, scope) ?? unquoted(value);
}

const trueWord = /^(?:true|yes|y|on|t|1)$/i;
const falseWord = /^(?:false|no|n|off|f|0)$/i;

/** The value of a BOOLEAN column that a text means, as the profile stores it. Undefined: another column or text. */
export function booleanMeant(name: string, value: string, scope: HabitScope): string | undefined {
  const { schema, storage } = scope;
  const type = schema.columns.find((column) => column.name === name)?.type;
  if (type === undefined || !/^\s*bool(?:ean)?\s*$/i.test(type)) return undefined;
  const [one, zero] = storage.kindOf(type) === "BOOLEAN" ? ["true", "false"] : ["1", "0"];
  const text = unquoted(value.trim());
  if (trueWord.test(text)) return one;
  return falseWord.test(text) ? zero : undefined;
}

/** Whether a text of such a filter can be in a column at all. */
export function fitsColumn(name: string, value: string, { schema, storage }: HabitScope): boolean {
  const type = schema.columns.find((column) => column.name === name)?.type;
  const kind = type === undefined ? "ANY" : storage.kindOf(type);
  if (kind === "BOOLEAN") return /^(?:true|false)$/.test(value) || isNumber(value);
  return kind === "INTEGER" || kind === "REAL" ? isNumber(value) : true;
}
