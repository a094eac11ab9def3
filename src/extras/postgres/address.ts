import { decodedOrSent } from "../../core/http/url-parts.ts";
import { type EmulatorError, invalidOption } from "../../core/errors/emulator-error.ts";
import { nearestName } from "../../core/errors/show.ts";

/** The place where tables are kept: a schema of a database. */
export interface TablesAddress {
  /** The address to which the driver connects. */
  readonly connection: string;
  readonly schema: string;
  /** Host, port and database, for messages. Contains no password. */
  readonly shown: string;
}

const defaultSchema = "backlot";

/** The longest name in bytes of UTF-8. PostgreSQL truncates longer names. */
export const longestName = 63;

/** Reads `postgres://user:password@host/database?schema=name`. Throws `ERR_OPTION_INVALID`. */
export function readAddress(text: string): TablesAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^postgres(?:ql)?:$/.test(url.protocol)) {
    throw cannot("the address is not a URL such as postgres://user:password@localhost:5432/app.");
  }
  // In `postgres://user:12/34@host/db`, for example, the host would be `user`, and the path would have a part of the
  // password.
  if (`${url.pathname}${url.search}${url.hash}`.includes("@") || url.hash !== "") {
    throw cannot(
      "its address has an @ or a # where none can be. In the password, write / as %2F, ? as %3F, # as %23 and @ as %40.",
    );
  }
  const [schema = defaultSchema, ...others] = url.searchParams.getAll("schema");
  if (others.length > 0)
    throw cannot("its address names more than one schema. Give ?schema= once.");
  // Other parameters are for the driver, which ignores unknown names silently, so a misspelt `schema` is refused here.
  const misspelt = [...url.searchParams.keys()].find(
    (name) => name !== "schema" && nearestName(name, ["schema"]) !== undefined,
  );
  if (misspelt !== undefined) {
    throw cannot(`"${misspelt}" in its address is not a known parameter. Did you mean "schema"?`);
  }
  if (schema === "" || Buffer.byteLength(schema) > longestName || schema.startsWith("pg_")) {
    throw cannot(
      `"${schema}" is not a valid schema name. Give one of 1 to ${longestName} bytes that does not begin with "pg_".`,
    );
  }
  url.searchParams.delete("schema");
  return { connection: url.href, schema, shown: showDatabase(url) };
}

function showDatabase({ hostname, port, pathname, searchParams, username }: URL): string {
  const host = searchParams.get("host") ?? decodedOrSent(hostname);
  const database = decodedOrSent(pathname.slice(1)) || decodedOrSent(username) || "postgres";
  return `${host || "localhost"}${port === "" ? "" : `:${port}`}/${database}`;
}

function cannot(problem: string): EmulatorError {
  return invalidOption(`Cannot keep tables in PostgreSQL: ${problem}`);
}
