import { isObject } from "../../../core/schema/json.ts";

/** What a file can be that is imported. */
export const importKinds = ["har", "aimock", "json-server", "openapi", "data"] as const;

export type ImportKind = (typeof importKinds)[number];

/** In words, for messages. */
export const kindNames: Readonly<Record<ImportKind, string>> = {
  har: "an HTTP archive",
  aimock: "fixtures of aimock",
  "json-server": "a database of json-server",
  openapi: "an OpenAPI document",
  data: "a module with collections of @msw/data",
};

/**
 * What a JSON file is, by what only files of that kind have, or by the ending `.har`; undefined: nothing that is known.
 */
export function guessKind(value: unknown, ending?: string): ImportKind | undefined {
  if (!isObject(value)) return undefined;
  const { log, fixtures, openapi, swagger } = value;
  if (ending === ".har") return "har";
  if (isObject(log) && (Array.isArray(log["entries"]) || isObject(log["creator"]))) return "har";
  if (typeof openapi === "string" || typeof swagger === "string") return "openapi";
  const isOfAimock = Array.isArray(fixtures) && fixtures.every(isAimockEntry);
  if (isOfAimock && fixtures.length > 0) return "aimock";
  const isOfTables = Object.values(value).some((item) => typeof item === "object" && item !== null);
  return isOfTables ? "json-server" : undefined;
}

function isAimockEntry(entry: unknown): boolean {
  return isObject(entry) && isObject(entry["match"]) && isObject(entry["response"]);
}
