const standIns = new Map([
  ["vitest", new URL("vitest-stand-in.ts", import.meta.url).href],
  ["fast-check", new URL("fast-check-stand-in.ts", import.meta.url).href],
]);

/** Gives the stand-ins to whoever imports vitest and fast-check, save the stand-ins themselves. */
export function resolve(specifier, context, next) {
  const url = standIns.get(specifier);
  if (url === undefined || url === context.parentURL) return next(specifier, context);
  return { url, format: "module", shortCircuit: true };
}
