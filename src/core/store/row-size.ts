import { BlobValue, type Row, type Value } from "./value.ts";

/** About how many bytes of memory a row takes, its place in the table included. */
export function rowSize(row: Row): number {
  let size = 64;
  for (const value of Object.values(row)) size += 8 + valueSize(value);
  return size;
}

function valueSize(value: Value): number {
  if (typeof value === "string") return 16 + value.length * (wide.test(value) ? 2 : 1);
  if (typeof value !== "object" || value === null) return 8;
  if (value instanceof BlobValue) return 128 + value.bytes.byteLength;
  let size = 32;
  if (Array.isArray(value)) for (const part of value) size += 8 + valueSize(part);
  // Objects that have the same names share them, and nobody knows which do.
  else for (const [name, part] of Object.entries(value)) size += 32 + name.length + valueSize(part);
  return size;
}

/** The engine keeps a text with such a character with two bytes for each. It need not look for one where it does not. */
const wide = /[\u0100-\uffff]/;
