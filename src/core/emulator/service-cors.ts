import { corsHeaders } from "../http/cors.ts";
import type { Reply } from "../http/reply.ts";
import type { Exchange } from "./exchange.ts";

/**
 * Headers that are left out of `access-control-expose-headers`: pages may read them anyway, or, like cookies, never.
 */
const known: ReadonlySet<string> = new Set([
  "cache-control",
  "content-language",
  "content-length",
  "content-type",
  "expires",
  "last-modified",
  "pragma",
  "set-cookie",
]);

/**
 * A real service's reply, readable by pages of any origin if the settings allow that. The service's own CORS headers
 * are removed.
 */
export async function withServiceCors(
  reply: Reply,
  { route, settings }: Pick<Exchange, "route" | "settings">,
): Promise<Reply> {
  if (!settings.cors || reply.body.kind === "no-answer") return reply;
  if (!(await route.interface.letsPagesRead(settings))) return reply;
  const own = Object.entries(reply.headers).filter(([name]) => !name.startsWith("access-control-"));
  const exposed = own.map(([name]) => name).filter((name) => !known.has(name));
  const headers = Object.assign(Object.fromEntries(own), corsHeaders(exposed.join(", ")));
  return { ...reply, headers };
}
