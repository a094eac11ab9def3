import { Base64Blob, BlobValue, isDatabaseValue, type Row, type Value } from "../store/value.ts";
import type { JsonValue } from "../schema/json.ts";
import type { State } from "./state.ts";

/** Rows by table as chat templates see them. Each list is made on first use. */
export function tablesForTemplates({ database }: State): object {
  const tables = Object.create(null);
  for (const name of database.names()) {
    Object.defineProperty(tables, name, {
      enumerable: true,
      get: () => {
        const rows = database.table(name)?.rows();
        // Nearly all tables hold only JSON.
        return rows?.every(isJson) === false ? rows.map(shownRow) : rows;
      },
    });
  }
  return tables;
}

function isJson(row: Row): boolean {
  for (const name in row) if (!isJsonValue(row[name] ?? null)) return false;
  return true;
}

function isJsonValue(value: Value): value is JsonValue {
  if (typeof value === "number") return Number.isFinite(value);
  return typeof value !== "object" || value === null || !isDatabaseValue(value);
}

/** A row as the tables interface shows it, so that chats agree with it. */
function shownRow(row: Row): object {
  if (isJson(row)) return row;
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, shownValue(value)]));
}

function shownValue(value: Value): unknown {
  if (typeof value === "number" && !Number.isFinite(value)) return null;
  if (value instanceof Base64Blob) return value.toJSON();
  if (value instanceof BlobValue) return emptyObject;
  return isDatabaseValue(value) ? value.toJSON() : value;
}

/** How blobs appear in JSON and in text. */
const emptyObject: object = Object.freeze(Object.create({ toString: () => "{}" }));
