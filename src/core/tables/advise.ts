import { counted, cut } from "../errors/show.ts";
import { isSecretName } from "../http/secret-names.ts";
import type { Reply } from "../http/reply.ts";
import { loadOnce } from "../http/load-once.ts";
import type { Condition } from "../store/operators.ts";
import type { HabitAdvice } from "./habits/habits.ts";
import type { HabitScope } from "./habits/scope.ts";
import { readParameters } from "./parameters.ts";
import type { TablesRequest } from "./profile-answers.ts";
import { rowsFound } from "./rows-reply.ts";

/** Loaded for the first query that needs advice, since most need none. */
const loadHabits = loadOnce(() => import("./habits/habits.ts"));

/** Advice on a query that is written as for another tool. Undefined: no such habit is found in the query. */
export async function adviceOn(query: string, scope: HabitScope): Promise<HabitAdvice | undefined> {
  // A service worker that is offline cannot load the habits, and gives no advice.
  const habits = await loadHabits().catch(() => undefined);
  return habits?.adviseQuery(readParameters(query), scope);
}

/** Logs a warning about a query that was answered, but probably not as its client meant it. */
export function warnOfHabits(
  { call, warn }: Pick<TablesRequest, "call" | "warn">,
  { about, text, kind }: HabitAdvice,
  reply: Reply,
): void {
  const asked = readParameters(call.query)
    .filter(({ name }) => about.includes(name))
    .map(({ name, value }) => `${name}=${isSecretName(name) ? "***" : value}`)
    .join("&");
  const target = asked === "" ? call.path : `${call.path}?${asked}`;
  const outcome = rowsFound(reply);
  const came = outcome === undefined ? `got ${reply.status}` : `found ${counted(outcome, "row")}`;
  warn(`${call.method} ${cut(target)} ${came}. ${text}`, `${call.path}: ${kind}`);
}

/**
 * Whether a query deserves advice even if it finds rows: a list in another tool's notation still finds some of its
 * items.
 */
export function hasOddList(where: readonly Condition[]): boolean {
  return where.some((one) => "values" in one && /^[([{"']/.test(one.values[0] ?? ""));
}
