import type { HttpHandler } from "msw";
import type { Emulator } from "../../core/emulator/emulator.ts";
import { refuseOtherThanEmulator } from "../../core/errors/emulator-error.ts";
import { refuseOlder } from "../needs/refuse-older.ts";
import { handlersIn } from "./handlers.ts";

export { refuseUnhandled } from "./refuse-unhandled.ts";
export type { HandleFrame, HandleRequest } from "./unhandled.ts";

refuseOlder("backlot/msw", "msw", import.meta.url);

/**
 * Handlers for msw 2 or 3 that answer for an emulator. They can stand before or after the user's own. Msw lets unanswered requests through to the real service unless an option says otherwise, which has different names
 * in msw 2 and 3: `onUnhandledRequest` and `onUnhandledFrame`. `refuseUnhandled` has both.
 *
 * @example
 * const server = setupServer(...handlers(await createEmulator({ fixtures })));
 * server.listen(refuseUnhandled);
 */
export function handlers(emulator: Pick<Emulator, "core">): readonly HttpHandler[] {
  refuseOtherThanEmulator(emulator, "Cannot make handlers");
  return handlersIn({}, emulator);
}
