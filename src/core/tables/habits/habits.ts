import { nearestName } from "../../errors/show.ts";
import { isSecretName } from "../../http/secret-names.ts";
import { byColumn } from "../../store/filter.ts";
import { isOperator, readCondition, type Condition } from "../../store/operators.ts";
import type { QueryParameter } from "../parameters.ts";
import { referringColumn, singular } from "../relations.ts";
import { foreignExpression, foreignFilter } from "./foreign-filters.ts";
import { meantInstead } from "./matching-nothing.ts";
import { asksForAll, pageWindow, rangeWindow, rowWindow, wholeNumber } from "./paging.ts";
import {
  columnMeant,
  filter,
  type HabitScope,
  isNumber,
  joinMeanings,
  type MeantFilter,
  type Meaning,
  plainWord,
  type SentParameter,
} from "./scope.ts";
import { directionNamed, foreignSort, repeatedSort } from "./sorting.ts";

/** A parameter of another tool, the whole query, and the table. */
interface Sent {
  /** The parameter's value; the first of several. */
  readonly value: string;
  readonly name: string;
  /** The value of the first other parameter with one of these names. Case and separators do not count. */
  readonly other: (...names: readonly string[]) => string | undefined;
  readonly scope: HabitScope;
}

/** The names that other tools give to a thing, without case and separators, and what they mean here. */
type Habit = readonly [names: string, meaning: (sent: Sent) => Meaning | undefined];

const sizeNames =
  "limit perpage pagesize size top take first max maxresults maxrows rows num results itemsperpage resultsperpage pagelimit batchsize";
const pageNames = "page pagenumber pagenum pageno currentpage pg p";
const sizes = sizeNames.split(" ");
const startNames = "start skip offset startindex pageoffset firstresult begin";

/** The habits of other tools, a row each. The first one with a name counts. */
const habits: readonly Habit[] = [
  [pageNames, ({ value, other }) => pageWindow(value, other(...sizes))],
  [
    "pageindex",
    ({ value, other }) => pageWindow(String((wholeNumber(value) ?? 0) + 1), other(...sizes)),
  ],
  [sizeNames, readSize],
  [startNames, ({ value, other }) => rowWindow(value, other("end"))],
  ["end", ({ value, other }) => rowWindow(other(...startNames.split(" ")), value)],
  ["range", ({ value }) => rangeWindow(value)],
  [
    "cursor after before startingafter endingbefore pagetoken nexttoken nextpagetoken continuationtoken " +
      "continuation pageafter pagebefore pagecursor marker sinceid maxid startafter",
    readCursor,
  ],
  [
    "sort sortby orderby ordering sortfield sortcolumn sortkey orderfield sorting sorts",
    ({ value, scope }) => foreignSort(value, scope) ?? { sortBy: columnToShow(value, scope) },
  ],
  [
    "order sortorder sortdir sortdirection orderdir orderdirection dir direction desc asc descending ascending reverse",
    readDirection,
  ],
  ["q search query term keyword keywords fulltext searchterm s", readSearch],
  [
    "select fields columns attributes only props projection field exclude omit include_fields outfields",
    ({ name }) => ({ say: `Rows always have all columns: leave out ${name}.` }),
  ],
  ["embed expand include includes populate join joins with relations related nested", readEmbed],
  [
    "count total totalcount inlinecount includetotal withcount",
    ({ name }) => ({ say: `Answers have no count: leave out ${name} and count the rows.` }),
  ],
  [
    "distinct group groupby having aggregate",
    ({ name }) => ({
      say: `Rows cannot be grouped: leave out ${name} and group the rows yourself.`,
    }),
  ],
  [
    "filter filters where conditions criteria match f qs and",
    ({ value, scope }) => foreignExpression(value, scope),
  ],
  [
    "or",
    () => ({
      say: "All filters must match: for OR write <column>.in=<a>,<b>, or send a request for each.",
    }),
  ],
  [
    "token accesstoken apikey key auth authorization authtoken jwt",
    () => ({ say: 'Send the token in the header "Authorization: Bearer <token>".' }),
  ],
  [
    "callback format pretty",
    ({ name }) => ({ say: `Answers are always JSON: leave out ${name}.` }),
  ],
];

const habitsByName: ReadonlyMap<string, Habit[1]> = new Map(
  habits
    .flatMap(([names, meaning]) =>
      names.split(" ").map((name) => [plainWord(name), meaning] as const),
    )
    .toReversed(),
);

function readSize({ value, other }: Sent): Meaning {
  if (asksForAll(value)) return { say: allRows };
  const page = other(...pageNames.split(" "));
  return page === undefined ? { limit: wholeNumber(value) ?? value } : pageWindow(page, value);
}

const allRows = "For all rows leave out limit.";

function readCursor({ value, name, other, scope }: Sent): Meaning {
  const [key, more] = scope.schema.primaryKey;
  const limit = wholeNumber(other(...sizes)) ?? 10;
  const sole = more === undefined ? key : undefined;
  const isBefore = /before|max/i.test(name);
  if (
    sole !== undefined &&
    value !== "" &&
    (isNumber(value) || /after|before|id$/i.test(plainWord(name)))
  ) {
    const order = isBefore ? "desc" : undefined;
    return { ...filter(sole, isBefore ? "lt" : "gt", value), sortBy: sole, order, limit };
  }
  return { say: `There are no cursors: write limit=${limit}&offset=${limit} for the second page.` };
}

/** The column that a value may mean, else one to show what to write. */
function columnToShow(value: string, scope: HabitScope): string {
  const names = scope.schema.columns.map((column) => column.name);
  return columnMeant(value, scope) ?? nearestName(value.replace(/^\W+/, ""), names) ?? "<column>";
}

function readDirection({ value, name, scope }: Sent): Meaning | undefined {
  const direction = directionNamed(value);
  if (direction !== undefined && !/^(?:desc|descending|reverse)$/i.test(plainWord(name))) {
    return { order: direction };
  }
  const order = /^(?:asc|ascending)$/i.test(plainWord(name)) ? "asc" : "desc";
  if (/^(?:asc|desc|ascending|descending|reverse)$/i.test(plainWord(name))) {
    const sortBy = columnMeant(value, scope);
    if (sortBy !== undefined) return { sortBy, order };
    return /^(?:|true|1|yes)$/i.test(value) ? { order } : undefined;
  }
  return (
    foreignSort(value, scope) ??
    (columnMeant(value, scope) === undefined ? undefined : { sortBy: value })
  );
}

function readSearch({ value, scope }: Sent): Meaning {
  const { columns, primaryKey } = scope.schema;
  const texts = columns.filter(({ type }) => scope.storage.kindOf(type) === "TEXT");
  const column = texts.find(({ name }) => !primaryKey.includes(name)) ?? texts[0];
  const say = "A filter searches one column.";
  return { ...filter(column?.name ?? "<column>", "like", `%${value}%`), say };
}

/** Explains that rows of another table need a request of their own. */
function readEmbed({ value, scope: { schema, database, key } }: Sent): Meaning {
  const names = database.names();
  const [first = ""] = value.split(/[,.(]/);
  const table = names.find((name) => singular(name) === first) ?? nearestName(first, names);
  const other = table === undefined ? undefined : database.table(table)?.schema;
  if (other === undefined) return askFor("{table}");
  const theirs = referringColumn(other, schema.name);
  if (theirs !== undefined) {
    return askFor(
      key === undefined ? `${other.name}?${theirs}.in=<keys>` : `${other.name}?${theirs}=${key}`,
    );
  }
  const ours = referringColumn(schema, other.name);
  return askFor(ours === undefined ? other.name : `${other.name}/{${ours}}`);
}

function askFor(path: string): Meaning {
  return { say: `Rows of another table need a request of their own: GET /rest/${path}.` };
}

/** Advice on a query that follows the conventions of other tools. */
export interface HabitAdvice {
  /** The names of the parameters that the advice is about. */
  readonly about: readonly string[];
  /** The right query, with the client's own values. */
  readonly text: string;
  /** Names the kind of advice. Queries that differ only in values have the same. */
  readonly kind: string;
}

/**
 * Gives advice on a query, or on the key in a path, that follows the conventions of other tools: unknown parameters,
 * and filters that are valid but match nothing. Undefined: there is nothing to advise.
 */
export function adviseQuery(
  parameters: readonly QueryParameter[],
  scope: HabitScope,
): HabitAdvice | undefined {
  const own: Condition[] = keyConditions(scope);
  const about: string[] = [];
  let meaning: Meaning = {};
  const take = (one: Meaning | undefined, ...names: readonly string[]): void => {
    if (one === undefined) return;
    meaning = joinMeanings(meaning, one);
    about.push(...names);
  };
  const sent = grouped(parameters.filter(isShort).map(withoutSecret)).slice(0, mostRead);
  for (const parameter of sent) {
    const legal = readLegal(parameter, scope);
    if (legal === undefined) take(meaningOf(parameter, sent, scope), parameter.name);
    else if (legal === "reserved") take(reservedMeant(parameter, sent, scope), parameter.name);
    else own.push(...legal);
  }
  for (const conditions of byColumn(own)) {
    const [{ column }] = conditions;
    const names = sent.filter(({ name }) => name === column || name.startsWith(`${column}.`));
    take(meantInstead(conditions, scope), ...names.map(({ name }) => name));
  }
  const text = writeMeaning(meaning);
  return text === "" ? undefined : { about, text, kind: kindOf(about, meaning) };
}

/**
 * The limits on the number and length of parameters that are read, since reading takes time. No honest mistake is
 * longer.
 */
const mostRead = 20;
const longestRead = 300;

/** The advice is logged, so it must not contain secrets. */
function withoutSecret({ name, value }: QueryParameter): QueryParameter {
  return { name, value: isSecretName(name) ? "***" : value };
}

function isShort({ name, value }: QueryParameter): boolean {
  return name.length <= longestRead && value.length <= longestRead;
}

function keyConditions({ schema, key }: HabitScope): Condition[] {
  const [column, more] = schema.primaryKey;
  if (key === undefined || column === undefined || more !== undefined) return [];
  return [{ column, operator: "eq", value: key }];
}

function grouped(parameters: readonly QueryParameter[]): readonly SentParameter[] {
  const groups = new Map<string, string[]>();
  for (const { name, value } of parameters) {
    const known = groups.get(name);
    if (known === undefined) groups.set(name, [value]);
    else known.push(value);
  }
  return [...groups].map(([name, values]) => ({ name, values }));
}

const reserved: ReadonlySet<string> = new Set(["sort_by", "order", "limit", "offset"]);

/** The conditions of a parameter that is a valid filter; undefined if it is not. */
function readLegal(
  { name, values }: SentParameter,
  { column }: HabitScope,
): readonly Condition[] | "reserved" | undefined {
  if (reserved.has(name)) return "reserved";
  const exact = column(name);
  if (exact !== undefined) return values.map((value) => ({ column: exact, operator: "eq", value }));
  const dot = name.lastIndexOf(".");
  const operator = name.slice(dot + 1);
  const known = dot < 0 ? undefined : column(name.slice(0, dot));
  if (known === undefined || !isOperator(operator)) return undefined;
  return values.map((value) => readCondition(known, operator, value));
}

function meaningOf(
  parameter: SentParameter,
  all: readonly SentParameter[],
  scope: HabitScope,
): Meaning | undefined {
  const { name, values } = parameter;
  // `filter[views]` is a filter, `page[size]` and `sort[views]` are not.
  const bracket = /^([^[\]]+)\[([^[\]]+)\]$/.exec(name);
  const habit = habitsByName.get(plainWord(name));
  if (habit !== undefined) return habit(sentOf(parameter, all, scope));
  const [, head = "", inner = ""] = bracket ?? [];
  if (/^_?(?:sort|order)(?:_?by)?$/i.test(head)) {
    return foreignSort(`${inner} ${values[0] ?? ""}`, scope) ?? foreignSort(values[0] ?? "", scope);
  }
  if (/^fields?$/i.test(head)) return { say: `Rows always have all columns: leave out ${name}.` };
  return foreignFilter(parameter, scope);
}

function sentOf(
  { name, values: [value = ""] }: SentParameter,
  all: readonly SentParameter[],
  scope: HabitScope,
): Sent {
  const other = (...names: readonly string[]): string | undefined =>
    all.find((one) => one.name !== name && names.includes(plainWord(one.name)))?.values[0];
  return { value, name, other, scope };
}

/** What `sort_by`, `order` and `limit` mean with another tool's values. */
function reservedMeant(
  parameter: SentParameter,
  all: readonly SentParameter[],
  scope: HabitScope,
): Meaning | undefined {
  const { name, values } = parameter;
  const [value = ""] = values;
  if (name === "sort_by") {
    if (values.length > 1) return repeatedSort;
    return scope.column(value) === undefined ? foreignSort(value, scope) : undefined;
  }
  if (name === "order") {
    return /^(?:asc|desc)$/i.test(value) ? undefined : readDirection(sentOf(parameter, all, scope));
  }
  if (/^\d+$/.test(value)) return undefined;
  const [offset, count] = /^(\d+)\s*,\s*(\d+)$/.exec(value)?.slice(1) ?? [];
  if (name === "limit" && count !== undefined) return { limit: count, offset };
  if (name === "limit") return asksForAll(value) ? { say: allRows } : undefined;
  return asksForAll(value) ? { say: "For the first rows leave out offset." } : undefined;
}

function kindOf(about: readonly string[], { filters = [], sortBy, say = "" }: Meaning): string {
  const forms = filters.map(({ column, operator }) => `${column}.${operator}`);
  return [...about, "as", ...new Set(forms), sortBy, say.slice(0, 20)].join(" ");
}

/** The advice in words: `Write id.in=1,2&limit=10.` and what else there is to say. */
function writeMeaning({ filters = [], sortBy, order, limit, offset, say }: Meaning): string {
  const parts = [
    ...filters.map(writeFilter),
    ...(sortBy === undefined ? [] : [`sort_by=${encoded(sortBy)}`]),
    ...(order === undefined ? [] : [`order=${order}`]),
    ...(limit === undefined ? [] : [`limit=${encoded(String(limit))}`]),
    ...(offset === undefined ? [] : [`offset=${encoded(String(offset))}`]),
  ];
  if (parts.length === 0) return say ?? "";
  const written = `Write ${parts.join("&")}`;
  const isPattern = filters.some(({ operator }) => operator === "like");
  const ended = `${written}${isPattern ? ", where %25 is an encoded %" : ""}.`;
  return say === undefined ? ended : `${ended} ${say}`;
}

function writeFilter({ column, operator, values }: MeantFilter): string {
  const name = operator === "eq" ? column : `${column}.${operator}`;
  return `${encoded(name)}=${values.map(encoded).join(",")}`;
}

const longestShown = 100;

/** A text for a query, with as few escapes as possible. */
function encoded(text: string): string {
  const shown = text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
  return shown.replaceAll(/[%&+#\s]|\p{Cc}/gu, (one) => encodeURIComponent(one));
}
