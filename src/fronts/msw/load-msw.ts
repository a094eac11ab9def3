import type { Msw } from "./handlers.ts";

/**
 * The user's own msw, which is optional. Rejects where it is missing. It is imported by its own name inside a `try`, by
 * which bundlers know that it may be.
 */
export async function loadMsw(): Promise<Msw> {
  try {
    const { http, HttpResponse, passthrough } = await import("msw");
    return { http, HttpResponse, passthrough };
  } catch (cause) {
    throw new Error("The package msw could not be loaded.", { cause });
  }
}
