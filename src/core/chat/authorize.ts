import { bearerKey, isAcceptedKey } from "../http/bearer-key.ts";
import type { Call } from "../http/call.ts";
import { type ChatError, chatErrors } from "./errors.ts";

/** Why a call is denied, or nothing. `apiKeys` null asks for no key; an empty list takes any. */
export function authorize(call: Call, apiKeys: readonly string[] | null): ChatError | undefined {
  if (apiKeys === null) return undefined;
  const key = bearerKey(call.headers["authorization"]);
  if (key === undefined) return chatErrors.noKey();
  return apiKeys.length === 0 || isAcceptedKey(key, apiKeys) ? undefined : chatErrors.wrongKey(key);
}
