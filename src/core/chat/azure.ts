import { bearerKey } from "../http/bearer-key.ts";
import type { CallHeaders } from "../http/call.ts";

/** Where Azure serves the interface: beside each mount point that is not a version's. */
export function azurePaths(basePaths: readonly string[]): readonly string[] {
  return basePaths.filter((base) => !base.endsWith("/v1")).map((base) => `${base}/openai/v1`);
}

/** The key of a request to chat: a bearer's, under a whole profile also that of Azure's header. Undefined: it has none. */
export function chatKey(
  { isWhole }: { readonly isWhole: boolean },
  headers: CallHeaders,
): string | undefined {
  const key = bearerKey(headers["authorization"]);
  if (key !== undefined || !isWhole) return key;
  const azure = headers["api-key"];
  return azure === "" ? undefined : azure;
}
