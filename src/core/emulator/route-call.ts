import { bearerKey, isAcceptedKey } from "../http/bearer-key.ts";
import type { Call } from "../http/call.ts";
import { findRoute, pathInTablesMount, type Route } from "./routes.ts";
import type { ResolvedSettings } from "./settings.ts";
import type { Setup } from "./setup.ts";

/** The interface that answers a call, which under some profiles is not told by the path alone. */
export function routeOf(
  call: Call,
  { settings, mounts }: Pick<Setup, "settings" | "mounts">,
): Route {
  const route = findRoute(call.path, mounts);
  if (!settings.restProfile.isAlone) return route;
  // Who comes to chat with the tables' token takes us for their service, which has none.
  const isMistaken = route.interface === "chat" && hasTokenOf(call, settings);
  const isTheirs = !route.known || isMistaken;
  if (!isTheirs) return route;
  return { interface: "rest", path: pathInTablesMount(call.path, mounts), known: false };
}

/** Whether a call has the tables' token, and that is not one of chat's keys as well. */
function hasTokenOf(
  { headers }: Call,
  { tokens, apiKeys }: Pick<ResolvedSettings, "tokens" | "apiKeys">,
): boolean {
  const key = bearerKey(headers["authorization"]);
  if (key === undefined || tokens === null) return false;
  return isAcceptedKey(key, tokens) && !isAcceptedKey(key, apiKeys ?? []);
}
