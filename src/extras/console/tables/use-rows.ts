import type { Failure } from "../api/failure.ts";
import type { Result } from "../../../core/errors/result.ts";
import type { TableEntry } from "../api/setup.ts";
import { useConsole } from "../parts/console-context.ts";
import { type Loaded, useLoad } from "../parts/use-load.ts";
import { queryPath, type TableQuery } from "./query.ts";
import { exactRows, isRounded, type TableRow } from "./row.ts";

/** Tables beyond this are not read as a whole for the sake of exact numbers. */
const mostRows = 20_000;

/** The rows that a query asks for, by the tables interface. */
export function useRows(table: TableEntry, query: TableQuery): Loaded<readonly TableRow[]> {
  const { client, setup } = useConsole();
  const path = queryPath(table.name, query);
  const load = async (): Promise<Result<readonly TableRow[], Failure>> => {
    const answer = await client.rows<readonly TableRow[]>(setup, path);
    if (!answer.ok) return answer;
    const isExact = !answer.value.some((row) => Object.values(row).some(isRounded));
    if (isExact || table.rows > mostRows) return answer;
    const stored = await client.control<readonly TableRow[]>(
      `/tables/${encodeURIComponent(table.name)}`,
    );
    return stored.ok ? { ok: true, value: exactRows(answer.value, stored.value) } : answer;
  };
  return useLoad(load, path);
}
