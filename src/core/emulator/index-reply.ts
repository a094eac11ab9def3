import type { Call } from "../http/call.ts";
import { allowReply } from "../http/cors.ts";
import { emptyReply, jsonReply, type Reply, withoutBody } from "../http/reply.ts";
import type { ResolvedSettings } from "../settings/resolve-settings.ts";
import { controlPrefix } from "./routes.ts";
import { version } from "./version.ts";

/**
 * Answers at the root, which the service leaves undefined: browsers are sent to the console, programs get the main
 * addresses.
 */
export function indexReply(call: Call, settings: ResolvedSettings): Reply {
  const { method, headers, prefix = "" } = call;
  if (method === "OPTIONS") return allowReply(["GET", "HEAD"]);
  const { basePaths, tablesBasePaths } = settings;
  const index = {
    name: "backlot",
    version,
    chat: `${prefix}${basePaths[0] ?? ""}/chat/completions`,
    tables: `${prefix}${tablesBasePaths.at(-1) ?? ""}/rest/{table}`,
    console: `${prefix}${controlPrefix}/`,
    openapi: `${prefix}${controlPrefix}/openapi.json`,
  };
  // The address is relative, so that a session in the path is kept.
  const reply = headers["accept"]?.includes("text/html")
    ? emptyReply(302, { location: `.${controlPrefix}/` })
    : jsonReply(200, index);
  const answered = { ...reply, answeredBy: "index", isMiss: true as const };
  return method === "HEAD" ? withoutBody(answered) : answered;
}
