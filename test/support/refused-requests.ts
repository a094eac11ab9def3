import type { Asking } from "./requests.ts";

/** A request to the tables that is refused, and how. */
export interface Refusal {
  readonly line: string;
  readonly asking?: Asking;
  readonly status: number;
  readonly code: string;
  /** Parts of the text, which names what is wrong. */
  readonly says: readonly string[];
}

/** Paths, methods and queries. Their answers leave nothing to be guessed. */
export const refusedRequests: readonly Refusal[] = [
  // Paths.
  { line: "GET /rest", status: 404, code: "unknown_path", says: ["table"] },
  { line: "GET /rest/", status: 404, code: "unknown_path", says: ["table"] },
  { line: "GET /rest/user", status: 404, code: "unknown_table", says: ['"user"', '"users"'] },
  { line: "GET /rest/USERS", status: 404, code: "unknown_table", says: ['"users"'] },
  {
    line: "POST /rest/user",
    asking: { json: { name: "x" } },
    status: 404,
    code: "unknown_table",
    says: ['"users"'],
  },
  { line: "GET /rest/users/1/2", status: 404, code: "unknown_path", says: ["/2"] },
  { line: "GET /rest/users/%ff", status: 400, code: "invalid_path", says: ["%ff"] },
  { line: "GET /rest/%zz", status: 400, code: "invalid_path", says: ["%zz"] },
  { line: "GET /rest/logs/1", status: 400, code: "no_primary_key", says: ['"logs"'] },
  { line: "GET /rest/pairs/x", status: 400, code: "invalid_key", says: ["a, b"] },
  { line: "GET /rest/pairs/x,1,2", status: 400, code: "invalid_key", says: ["3"] },
  // Methods.
  {
    line: "POST /rest/users/1",
    asking: { json: { name: "x" } },
    status: 405,
    code: "method_not_allowed",
    says: ["POST"],
  },
  {
    line: "PUT /rest/users",
    asking: { json: { name: "x" } },
    status: 400,
    code: "missing_key",
    says: ["id"],
  },
  {
    line: "PATCH /rest/users",
    asking: { json: { name: "x" } },
    status: 400,
    code: "missing_key",
    says: ["id"],
  },
  { line: "DELETE /rest/users", status: 400, code: "missing_key", says: ["id"] },
  { line: "PROPFIND /rest/users", status: 405, code: "method_not_allowed", says: ["PROPFIND"] },
  // Queries.
  {
    line: "GET /rest/users?nmae=Ada",
    status: 400,
    code: "unknown_column",
    says: ['"nmae"', '"name"'],
  },
  { line: "GET /rest/users?NAME=Ada", status: 400, code: "unknown_column", says: ['"name"'] },
  { line: "GET /rest/users?rowid=1", status: 400, code: "unknown_column", says: ['"rowid"'] },
  { line: "GET /rest/users?page=1", status: 400, code: "unknown_column", says: ['"page"'] },
  {
    line: "GET /rest/users?sort_by=nmae",
    status: 400,
    code: "unknown_column",
    says: ['"nmae"', '"name"'],
  },
  { line: "GET /rest/users?sort_by=3", status: 400, code: "unknown_column", says: ['"3"'] },
  { line: "GET /rest/users?sort_by=", status: 400, code: "unknown_column", says: ['""'] },
  {
    line: "GET /rest/users?name.is=Ada",
    status: 400,
    code: "unknown_operator",
    says: ['"is"', "eq, ne, gt, gte, lt, lte, like, in"],
  },
  {
    line: "GET /rest/users?name.LIKE=Ada",
    status: 400,
    code: "unknown_operator",
    says: ['"like"'],
  },
  { line: "GET /rest/users?name.=Ada", status: 400, code: "unknown_operator", says: ["eq, ne"] },
  {
    line: "GET /rest/users?order=up&sort_by=id",
    status: 400,
    code: "invalid_order",
    says: ['"up"', "ASC", "DESC"],
  },
  { line: "GET /rest/users?order=", status: 400, code: "invalid_order", says: ["ASC"] },
  ...["-1", "1.5", "abc", "", "1e2", "%201", "+1"].flatMap((value): readonly Refusal[] => [
    { line: `GET /rest/users?limit=${value}`, status: 400, code: "invalid_limit", says: ["limit"] },
    {
      line: `GET /rest/users?offset=${value}`,
      status: 400,
      code: "invalid_offset",
      says: ["offset"],
    },
  ]),
  {
    line: "GET /rest/users?limit=1&limit=2",
    status: 400,
    code: "repeated_parameter",
    says: ["limit"],
  },
  {
    line: "GET /rest/users?nmae=x&limit=-1",
    status: 400,
    code: "unknown_column",
    says: ['"nmae"', "limit"],
  },
];
