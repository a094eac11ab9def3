import type { HttpHandler } from "msw";
import type { Emulator } from "../../core/emulator/emulator.ts";
import { handlersIn } from "./handlers.ts";

/**
 * Handlers of msw, 2 or 3, that answer for an emulator. They go before or after the user's own.
 *
 * @example
 * const server = setupServer(...handlers(await createEmulator({ fixtures })));
 */
export function handlers(emulator: Pick<Emulator, "core">): readonly HttpHandler[] {
  return handlersIn({}, emulator);
}
