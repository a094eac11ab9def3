import { bearerKey, isAcceptedKey } from "../http/bearer-key.ts";
import { whyNoKey, whyNotAccepted } from "../http/key-problem.ts";
import type { CallHeaders } from "../http/call.ts";
import { defaultToken } from "./default-token.ts";

/** The keys that callers may have. */
export interface KnownKeys {
  /** The accepted tokens of tables. Null: no token is needed. */
  readonly tokens: readonly string[] | null;
  /** Chat's keys, which a caller may confuse with a token. */
  readonly chatKeys: readonly string[];
}

/**
 * Why a call without an accepted token was refused, and what to do. It names the token only if that is the default,
 * which is documented: callers may be on other machines.
 */
export function tokenAdvice(headers: CallHeaders, { tokens, chatKeys }: KnownKeys): string {
  const isDefault = tokens?.includes(defaultToken) === true;
  const send = isDefault
    ? `Send "Authorization: Bearer ${defaultToken}" or set another token with --token`
    : 'Send "Authorization: Bearer YOUR_TOKEN" with the token of --token, AUTHORIZATION_TOKEN or the config';
  const why = whyRefused(headers["authorization"], chatKeys);
  return `${why} ${send}, or start with --no-auth (in code: token and auth: false).`;
}

function whyRefused(header: string | undefined, chatKeys: readonly string[]): string {
  const key = bearerKey(header);
  if (key === undefined) return whyNoKey(header, "token");
  if (isAcceptedKey(key, chatKeys)) {
    return "The token is one of chat's keys, but the tables have a token of their own.";
  }
  return whyNotAccepted(key, "token");
}
