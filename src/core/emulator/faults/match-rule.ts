import type { FaultRule } from "../../fixture-set/format/fault-rule-format.ts";
import type { FaultManner } from "../../rest/fault-manner.ts";
import type { AskedCall } from "../answer-call.ts";

/** Tells whether a rule is about a call. All that a rule says of requests has to hold. */
export function matchesRule(
  { call, route }: Pick<AskedCall, "call" | "route">,
  { isOfTable }: FaultManner,
): (rule: FaultRule) => boolean {
  const isOf = (table: string): boolean =>
    route.interface === "rest" && route.known && isOfTable(route.path, table);
  return ({ interface: asked, method, path, table }) =>
    (asked === undefined || asked === route.interface) &&
    (method === undefined || method === call.method) &&
    (path === undefined || call.path.startsWith(path)) &&
    (table === undefined || isOf(table));
}
