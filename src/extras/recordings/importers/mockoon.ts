import { showText } from "../../../core/errors/show.ts";
import { asObject, isObject, type JsonObject, type JsonPath } from "../../../core/schema/json.ts";
import type { Imported } from "./imported.ts";
import { importAnswers, type ShownAnswer, type ShownTable } from "./shown-answers.ts";

/** The tables of an environment of Mockoon: its data buckets, and the lists in the answers of its routes. */
export function importMockoon(given: JsonObject): Imported {
  const found = environmentsIn(given).map(readEnvironment);
  return importAnswers(
    found.flatMap(({ answers }) => answers),
    found.flatMap(({ tables }) => tables),
    found.flatMap(({ told }) => told),
  );
}

/** Whether a value is an environment, or an export of several. */
export function isMockoon(value: JsonObject): boolean {
  return environmentsIn(value).length > 0;
}

interface Environment {
  readonly path: JsonPath;
  readonly value: JsonObject;
}

function environmentsIn(given: JsonObject): readonly Environment[] {
  if (isEnvironment(given)) return [{ path: [], value: given }];
  if (!String(given["source"]).startsWith("mockoon") || !Array.isArray(given["data"])) return [];
  return given["data"].flatMap((one: unknown, index): readonly Environment[] => {
    const item = asObject(asObject(one)?.["item"]);
    return item !== undefined && isEnvironment(item)
      ? [{ path: ["data", index, "item"], value: item }]
      : [];
  });
}

function isEnvironment(value: JsonObject): boolean {
  return Array.isArray(value["routes"]) && ("endpointPrefix" in value || "lastMigration" in value);
}

interface Found {
  readonly answers: readonly ShownAnswer[];
  readonly tables: readonly ShownTable[];
  readonly told: readonly { readonly path: JsonPath; readonly message: string }[];
}

function readEnvironment({ path, value }: Environment): Found {
  const found: MutableFound = { answers: [], tables: [], told: [], served: new Map() };
  const prefix = textOf(value["endpointPrefix"]);
  for (const [index, route] of objectsIn(value["routes"]).entries()) {
    addRoute(route, { found, prefix, path: [...path, "routes", index] });
  }
  for (const [index, bucket] of objectsIn(value["data"]).entries()) {
    const use = found.served.get(bucket["id"]) ?? found.served.get(bucket["uuid"]);
    found.tables.push({
      path: [...path, "data", index],
      name: use?.name ?? textOf(bucket["name"]),
      rows: bucket["value"],
      primaryKey: use?.key,
    });
  }
  return found;
}

interface MutableFound extends Found {
  readonly answers: ShownAnswer[];
  readonly tables: ShownTable[];
  readonly told: { readonly path: JsonPath; readonly message: string }[];
  /** The route that serves each bucket: the name in its path, and its key. */
  readonly served: Map<unknown, { readonly name: string; readonly key: string | undefined }>;
}

interface RouteContext {
  readonly found: MutableFound;
  readonly prefix: string;
  readonly path: JsonPath;
}

function addRoute(route: JsonObject, { found, prefix, path }: RouteContext): void {
  const endpoint = textOf(route["endpoint"]);
  if (route["type"] === "ws") {
    found.told.push({ path, message: `the WebSocket ${showText(endpoint)} was left out` });
    return;
  }
  const isCrud = route["type"] === "crud";
  const name = endpoint.split("/").findLast((part) => part !== "" && !part.startsWith(":"));
  for (const [index, response] of objectsIn(route["responses"]).entries()) {
    const { databucketID: bucket, bodyType, crudKey } = response;
    if ((isCrud || bodyType === "DATABUCKET") && name !== undefined) {
      const key = isCrud && typeof crudKey === "string" ? crudKey : undefined;
      if (!found.served.has(bucket)) found.served.set(bucket, { name, key });
      continue;
    }
    found.answers.push({
      path: [...path, "responses", index],
      method: textOf(route["method"]).toUpperCase(),
      url: `/${prefix}/${endpoint}`,
      status: numberOf(response["statusCode"]),
      body: response["body"],
      ...fileProblem(response),
    });
  }
}

function fileProblem({ bodyType, filePath }: JsonObject): Pick<ShownAnswer, "problem"> {
  if (bodyType !== "FILE") return {};
  return { problem: `its body is in the file ${showText(textOf(filePath))}` };
}

function objectsIn(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.map((item) => (isObject(item) ? item : {})) : [];
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function numberOf(value: unknown): number {
  return typeof value === "number" ? value : 200;
}
