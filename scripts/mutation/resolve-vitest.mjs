const standIn = new URL("vitest-stand-in.ts", import.meta.url).href;

/** Gives the stand-in to whoever imports vitest. */
export function resolve(specifier, context, next) {
  if (specifier === "vitest") return { url: standIn, format: "module", shortCircuit: true };
  return next(specifier, context);
}
