import { bearerKey } from "../http/bearer-key.ts";
import type { CallHeaders } from "../http/call.ts";

/** The paths where Azure's addresses begin: `/openai/v1` below each mount point that does not end in `/v1`. */
export function azurePaths(basePaths: readonly string[]): readonly string[] {
  return basePaths.filter((base) => !base.endsWith("/v1")).map((base) => `${base}/openai/v1`);
}

/**
 * The key of a request to chat: the bearer key or, under a whole profile, the key in Azure's `api-key` header.
 * Undefined: the request has neither.
 */
export function chatKey(
  { isWhole }: { readonly isWhole: boolean },
  headers: CallHeaders,
): string | undefined {
  const key = bearerKey(headers["authorization"]);
  if (key !== undefined || !isWhole) return key;
  const azure = headers["api-key"];
  return azure === "" ? undefined : azure;
}
