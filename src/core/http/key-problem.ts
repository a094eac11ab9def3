import { bearerKey, isAcceptedKey, maskKey } from "./bearer-key.ts";
import type { CallHeaders } from "./call.ts";

/** What a key is called: tables have tokens. */
type KeyNoun = "key" | "token";

/** Why an Authorization header has no key in it. */
export function whyNoKey(header: string | undefined, noun: KeyNoun): string {
  if (header === undefined || header === "") return "The request has no Authorization header.";
  const [, scheme, given = ""] = /^([A-Za-z][\w-]*)(?:\s+(\S.*))?\s*$/s.exec(header) ?? [];
  if (scheme?.toLowerCase() === "bearer") {
    return given === ""
      ? `The Authorization header has no ${noun}.`
      : `The scheme ${JSON.stringify(scheme)} must be written "Bearer", with one space behind it.`;
  }
  if (scheme === undefined || given === "") {
    return 'The Authorization header must begin with "Bearer ".';
  }
  return `The scheme of the Authorization header is ${JSON.stringify(scheme)}, but it must be "Bearer".`;
}

/** Says that a key is not accepted, and what is odd about it. */
export function whyNotAccepted(key: string, noun: KeyNoun): string {
  const hasFrame = /^[\s"'<{]|[\s"'>}]$/.test(key);
  return `The ${noun} ${maskKey(key)} is not accepted${hasFrame ? ": it has spaces, quotes or brackets around it" : ""}.`;
}

/** What was wrong with the key of a request that was refused for it. `ownKeys` are those of all interfaces. */
export function keyProblem(headers: CallHeaders, ownKeys: readonly string[]): string {
  const key = bearerKey(headers["authorization"]) ?? headers["api-key"];
  if (key === undefined) return whyNoKey(headers["authorization"], "key");
  return isAcceptedKey(key, ownKeys)
    ? "The key is one of this server's, but not one that this interface accepts."
    : whyNotAccepted(key, "key");
}
