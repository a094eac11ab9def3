import type { Endpoint } from "../http/endpoint.ts";

/** What an endpoint does with rows. */
export type TablesOperation = "find" | "insert" | "get" | "replace" | "update" | "delete";

/** An endpoint of the tables. Each profile answers it in its own way, with its own order of checks. */
export interface TablesEndpoint extends Endpoint {
  readonly operation: TablesOperation;
}

/** Everything that tables answer. Routing, the paths that a 404 names, and OpenAPI come from these rows. */
export const tablesEndpoints: readonly TablesEndpoint[] = [
  { method: "GET", path: "/rest/{table}", operation: "find" },
  { method: "POST", path: "/rest/{table}", operation: "insert" },
  { method: "GET", path: "/rest/{table}/{key}", operation: "get" },
  { method: "PUT", path: "/rest/{table}/{key}", operation: "replace" },
  { method: "PATCH", path: "/rest/{table}/{key}", operation: "update" },
  { method: "DELETE", path: "/rest/{table}/{key}", operation: "delete" },
];
