import { showText } from "../errors/show.ts";
import { bearerKey, isAcceptedKey, maskKey } from "../http/bearer-key.ts";
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
  if (header === undefined || header === "") return "The request has no Authorization header.";
  const key = bearerKey(header);
  if (key !== undefined) return whyNotAccepted(key, chatKeys);
  const [, scheme, given = ""] = /^([A-Za-z][\w-]*)(?:\s+(\S.*))?\s*$/s.exec(header) ?? [];
  if (scheme?.toLowerCase() === "bearer") {
    return given === ""
      ? "The Authorization header has no token."
      : `The scheme ${showText(scheme)} must be written "Bearer", with one space behind it.`;
  }
  if (scheme === undefined || given === "") {
    return 'The Authorization header must begin with "Bearer ".';
  }
  return `The scheme of the Authorization header is ${showText(scheme)}, but it must be "Bearer".`;
}

function whyNotAccepted(key: string, chatKeys: readonly string[]): string {
  if (isAcceptedKey(key, chatKeys)) {
    return "The token is one of chat's keys, but the tables have a token of their own.";
  }
  const hasFrame = /^[\s"'<{]|[\s"'>}]$/.test(key);
  return `The token ${maskKey(key)} is not accepted${hasFrame ? ": it has spaces, quotes or brackets around it" : ""}.`;
}
