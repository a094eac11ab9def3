import type { CallHeaders } from "./call.ts";

/** The values of `Sec-Fetch-Dest` for documents that fill a window or a frame. */
const documentKinds: ReadonlySet<string> = new Set([
  "document",
  "iframe",
  "frame",
  "embed",
  "object",
  "fencedframe",
]);

/**
 * The beginning of `Accept` when a browser opens a page. Over plain HTTP, it sends no `Sec-Fetch-Dest` to addresses
 * beyond loopback. Java's own client begins with `text/html, image/gif`.
 */
const pageAccept = /^\s*text\/html\s*(?:$|;|,\s*application\/xhtml\+xml)/i;

/** Whether a browser shows the answer to a request in a window or a frame. */
export function isNavigation(headers: CallHeaders): boolean {
  const { "sec-fetch-dest": dest, "sec-fetch-mode": mode, accept = "" } = headers;
  if (mode === "navigate") return true;
  return dest === undefined ? pageAccept.test(accept) : documentKinds.has(dest);
}
