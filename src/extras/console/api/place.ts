/** The session prefix of the console's own path, such as `/@test-7`; empty for the base session. */
export function baseOf(pathname: string): string {
  const end = pathname.lastIndexOf("/__backlot");
  return end === -1 ? "" : pathname.slice(0, end);
}

/** The path of a session's console. Undefined: the base session. */
export function consolePath(session?: string): string {
  return session === undefined ? "/__backlot/" : `/@${encodeURIComponent(session)}/__backlot/`;
}
