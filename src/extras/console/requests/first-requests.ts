import type { JournalEntry } from "../../../core/emulator/journal/entry.ts";
import type { ConsoleSetup, EndpointEntry } from "../api/client.ts";

/** A request that can be sent as it is. */
type FirstRequest = Pick<JournalEntry, "method" | "path" | "query" | "headers" | "body"> &
  Pick<EndpointEntry, "interface">;

/** An example request for each endpoint that needs no id in its path. */
export function firstRequests({
  endpoints,
  tables,
}: Pick<ConsoleSetup, "endpoints" | "tables">): readonly FirstRequest[] {
  const table = encodeURIComponent(tables[0]?.name ?? "users");
  return endpoints
    .map((one) => ({ ...one, path: one.path.replace(/\{table\}$/, () => table) }))
    .filter(({ method, path, body }) => !path.includes("{") && (method === "GET" || body !== null))
    .map((one) => ({
      ...one,
      query: "",
      headers: {
        authorization: "",
        ...(one.body === null ? {} : { "content-type": "application/json" }),
      },
    }));
}
