import { counted, inNumber } from "../../../core/errors/counted.ts";
import { isObject } from "../../../core/schema/json.ts";
import type { ImportKind } from "./import-kind.ts";

type Json = Readonly<Record<string, unknown>>;

/** What was found in a file of which nothing could be taken over, in words: `it has 2 fixtures, and none that …`. */
export function nothingUsable(kind: ImportKind, value: Json): string {
  switch (kind) {
    case "har": {
      const what =
        "is a whole answer of chat (…/chat/completions, …/models) or of tables (…/rest/<table>)";
      return noneOf(entriesOf(value)?.length ?? 0, "entry", what);
    }
    case "aimock": {
      const { fixtures } = value;
      return noneOf(Array.isArray(fixtures) ? fixtures.length : 0, "fixture", "can be a script");
    }
    case "json-server":
      return noneOf(named(value).length, "key", "has rows");
    case "openapi": {
      const { paths } = value;
      return noneOf(isObject(paths) ? named(paths).length : 0, "path", "has an example with rows");
    }
    case "data":
      return noneOf(named(value).length, "export", "is a Collection of @msw/data");
  }
}

/** The entries of an HTTP archive; undefined where there is no list of them. */
export function entriesOf({ log }: Json): readonly unknown[] | undefined {
  const entries: unknown = isObject(log) ? log["entries"] : undefined;
  return Array.isArray(entries) ? entries : undefined;
}

function named(value: Json): readonly string[] {
  return Object.keys(value).filter((key) => key !== "$schema");
}

function noneOf(count: number, noun: string, what: string): string {
  if (count === 0) return `it has no ${inNumber(count, noun)}`;
  return `it has ${counted(count, noun)}, and none that ${what}`;
}
