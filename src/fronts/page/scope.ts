/** The address below which a worker may answer pages: by default its script's folder. */
export function scopeAddress(script: URL, scope: string | undefined): URL {
  return scope === undefined ? new URL("./", script) : new URL(scope, location.href);
}
