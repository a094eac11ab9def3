import type { SqlDatabase, SqlValue } from "sql.js-period";

// The observed service in small: a request becomes a statement, which a real SQLite runs. It judges ours.

/** What the service answers, without the places in statements, which sql.js does not tell. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** A request, its path split and its body parsed. */
export interface ServiceRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly table: string;
  readonly key: string | undefined;
  readonly query: readonly (readonly [string, string])[];
  readonly body: unknown;
}

const mostValues = 100;

/** Answers a request by the database. */
export function serve(database: SqlDatabase, request: ServiceRequest): Answer {
  const name = clean(request.table);
  try {
    if (request.method === "POST") return post(database, name, request.body);
    const keys = primaryKey(database, name);
    switch (request.method) {
      case "GET":
        return get(database, name, { ...request, keys });
      case "DELETE":
        return remove(database, name, { ...request, keys });
      default:
        return change(database, name, { ...request, keys });
    }
  } catch (error) {
    return failure(500, coded(error));
  }
}

interface Keyed extends ServiceRequest {
  readonly keys: readonly string[];
}

function clean(text: string): string {
  return text.replace(/\W/g, "");
}

function failure(status: number, error: string): Answer {
  return { status, body: { error } };
}

function coded(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (/Cannot (?:read|convert)/.test(message)) return message;
  if (message.includes("constraint failed")) return `${message}: SQLITE_CONSTRAINT`;
  return `${message}: SQLITE_${message === "datatype mismatch" ? "MISMATCH" : "ERROR"}`;
}

function primaryKey(database: SqlDatabase, name: string): readonly string[] {
  const [info] = database.exec(`PRAGMA table_info(${name});`);
  return (info?.values ?? [])
    .filter((cells) => Number(cells[5]) > 0)
    .map((cells) => String(cells[1]));
}

/** Every number is bound as a REAL; sql.js would bind small whole ones as INTEGER. */
function placeholder(value: unknown): string {
  return typeof value === "number" ? "(? + 0.0)" : "?";
}

function bound(value: unknown): SqlValue {
  if (value === null || value === undefined) return null;
  // oxlint-disable-next-line typescript/no-base-to-string -- "[object Object]" is what the service stores.
  return typeof value === "number" ? value : String(value);
}

function execute(
  database: SqlDatabase,
  sql: string,
  values: readonly unknown[],
): readonly object[] {
  if (values.length > mostValues) throw new Error("too many SQL variables");
  const bindings = values.map(bound);
  const statement = database.prepare(sql);
  try {
    statement.bind(bindings);
    const rows: object[] = [];
    const names = statement.getColumnNames();
    while (statement.step()) {
      const cells = statement.get(null, { useBigInt: true });
      rows.push(
        Object.fromEntries(names.map((column, index) => [column, wireValue(cells[index])])),
      );
    }
    return rows;
  } finally {
    statement.free();
  }
}

function wireValue(cell: SqlValue | bigint | undefined): unknown {
  if (cell instanceof Uint8Array) return {};
  if (typeof cell === "bigint" || typeof cell === "number") {
    const number = Number(cell);
    return Number.isFinite(number) ? number + 0 : null;
  }
  return cell;
}

type Found = {
  readonly values: readonly (readonly [string, unknown])[];
  readonly missing?: string;
};

function findKey({ keys, key }: Keyed, data: unknown, find: (column: string) => unknown): Found {
  const values: [string, unknown][] = [];
  for (const column of keys) {
    const given = (keys.length === 1 ? key : undefined) || read(data, column) || find(column);
    if (!given) return { values: [], missing: `Missing primary key value for '${column}'` };
    values.push([column, given]);
  }
  return { values };
}

function read(data: unknown, column: string): unknown {
  if (data === null) throw new TypeError(`Cannot read properties of null (reading '${column}')`);
  return Reflect.get(Object(data), column);
}

const operators: Readonly<Record<string, string>> = {
  eq: "=",
  ne: "!=",
  gt: ">",
  gte: ">=",
  lt: "<",
  lte: "<=",
  like: "LIKE",
};

function get(database: SqlDatabase, name: string, request: Keyed): Answer {
  const first = (wanted: string) => request.query.find(([key]) => key === wanted)?.[1];
  const { values: keys } = findKey(request, {}, first);
  const values: unknown[] = keys.map(([, value]) => value);
  const conditions = keys.map(([column]) => `${column} = ?`);
  for (const [key, value] of request.query) {
    if (["sort_by", "order", "limit", "offset", ...request.keys].includes(key)) continue;
    const [column = "", operator = ""] = key.split(".");
    const items = operator === "in" ? value.split(",").map((item) => item.trim()) : [value];
    const list = `(${items.map(() => "?").join(", ")})`;
    const symbol = operators[operator || "eq"] ?? "=";
    conditions.push(`${clean(column)} ${operator === "in" ? `IN ${list}` : `${symbol} ?`}`);
    values.push(...items);
  }
  const where = conditions.length > 0 ? ` WHERE ${conditions.join(" AND ")}` : "";
  const sortBy = first("sort_by");
  const direction = first("order")?.toUpperCase() === "DESC" ? "DESC" : "ASC";
  const order = sortBy ? ` ORDER BY ${clean(sortBy)} ${direction}` : "";
  const [limit, offset] = ["limit", "offset"].map((key) => Number.parseInt(first(key) ?? "", 10));
  const counts = [limit, offset].filter((count) => (limit ?? 0) > 0 && (count ?? 0) > 0);
  const window = ["", " LIMIT ?", " LIMIT ? OFFSET ?"][counts.length] ?? "";
  try {
    const sql = `SELECT * FROM ${name}${where}${order}${window}`;
    return { status: 200, body: { result: execute(database, sql, [...values, ...counts]) } };
  } catch {
    return failure(500, "Failed to retrieve data");
  }
}

function isRecord(data: unknown): data is Readonly<Record<string, unknown>> {
  return typeof data === "object" && data !== null && !Array.isArray(data);
}

function post(database: SqlDatabase, name: string, data: unknown): Answer {
  if (!isRecord(data)) return failure(400, "Invalid data format");
  const keys = Object.keys(data);
  if (keys.length === 0) return failure(400, "No data provided");
  const values = keys.map((key) => data[key]);
  const places = values.map(placeholder).join(", ");
  const sql = `INSERT INTO ${name} (${keys.map(clean).join(", ")}) VALUES (${places})`;
  execute(database, sql, values);
  return { status: 201, body: { result: { message: "Resource created successfully", data } } };
}

function change(database: SqlDatabase, name: string, request: Keyed): Answer {
  const { body: data, keys, method } = request;
  const [doing, done] = method === "PUT" ? ["replace", "replaced"] : ["update", "updated"];
  const { values: found, missing } = findKey(request, data, () => undefined);
  if (missing !== undefined) return failure(400, missing);
  if (!isRecord(data)) return failure(400, "Invalid data format");
  if (Object.keys(data).length === 0) return failure(400, "No data provided");
  const set = Object.keys(data).filter((key) => method === "PUT" || !keys.includes(key));
  if (set.length === 0) return failure(400, "No updatable data provided");
  const assignments = set.map((key) => `${clean(key)} = ${placeholder(data[key])}`).join(", ");
  const conditions = found.map(([column, value]) => `${column} = ${placeholder(value)}`);
  const sql = `UPDATE ${name} SET ${assignments} WHERE ${conditions.join(" AND ")}`;
  try {
    execute(database, sql, [...set.map((key) => data[key]), ...found.map(([, value]) => value)]);
  } catch {
    return failure(500, `Failed to ${doing} resource`);
  }
  return { status: 200, body: { result: { message: `Resource ${done} successfully`, data } } };
}

function remove(database: SqlDatabase, name: string, request: Keyed): Answer {
  const { values: found, missing } = findKey(request, {}, () => undefined);
  if (missing !== undefined) return failure(400, missing);
  const conditions = found.map(([column]) => `${column} = ?`).join(" AND ");
  try {
    const values = found.map(([, value]) => value);
    execute(database, `DELETE FROM ${name} WHERE ${conditions}`, values);
  } catch {
    return failure(500, "Failed to delete resource");
  }
  return { status: 200, body: { result: { message: "Resource deleted successfully" } } };
}
