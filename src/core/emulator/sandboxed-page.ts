import type { CallHeaders } from "../http/call.ts";
import { isNavigation } from "../http/navigation.ts";
import type { Reply } from "../http/reply.ts";

/** Types that no browser runs scripts in, unless it guesses another type, which `nosniff` prevents. */
const inertType =
  /^(?:application\/(?:[\w.-]+\+)?json|application\/octet-stream|text\/(?:plain|event-stream)|(?:audio|video)\/[\w.+-]+|image\/(?!svg)[\w.+-]+)\s*(?:;|$)/i;

/**
 * The answer of a real service, so that no script in it acts as a page of this server. Answers that programs read stay
 * as the service gave them: only what a browser opens, or what has a type that can have scripts, gets two headers.
 */
export function asSandboxedPage(reply: Reply, asked: CallHeaders): Reply {
  const { "content-type": type = "", "content-security-policy": policy } = reply.headers;
  if (reply.body.kind === "no-answer") return reply;
  if (!isNavigation(asked) && (inertType.test(type) || isWithoutBody(reply))) return reply;
  const headers = {
    ...reply.headers,
    // Browsers obey each of several policies.
    "content-security-policy": policy === undefined ? "sandbox" : `${policy}, sandbox`,
    "x-content-type-options": "nosniff",
  };
  return { ...reply, headers };
}

function isWithoutBody({ body }: Reply): boolean {
  return body.kind === "none" || (body.kind === "bytes" && body.bytes.byteLength === 0);
}
