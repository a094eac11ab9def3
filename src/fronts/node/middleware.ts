import type { IncomingMessage, ServerResponse } from "node:http";
import type { Core } from "../../core/emulator/core.ts";
import { type Guard, guardFor } from "../../core/emulator/access.ts";
import type { Emulator } from "../../core/emulator/emulator.ts";
import {
  type EmulatorError,
  invalidOption,
  refuseOtherThanEmulator,
} from "../../core/errors/emulator-error.ts";
import { answerRequest } from "./answer-request.ts";
import { BytesUnderWay } from "./bytes-under-way.ts";
import { RequestCall } from "./request-call.ts";

/** The function that Connect, Express and Vite call for each request. */
export type Middleware = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/**
 * Makes a middleware that answers the requests of both interfaces and of the control API, and passes all others on.
 * Middleware that parses bodies must come after it.
 *
 * @example
 * const app = express();
 * app.use(middleware(await createEmulator({ fixtures: await loadFixtures("fixtures") })));
 */
export function middleware(emulator: Pick<Emulator, "core">): Middleware {
  refuseOtherThanEmulator(emulator, "Cannot make a middleware");
  const { core } = emulator;
  const underWay = new BytesUnderWay();
  return (request, response, next) => {
    if (!isOurs(core, request, response, underWay)) next();
    else if (isReadAlready(request)) next(bodyIsGone(request));
    else void answerRequest(core, response, { guard: guardOf(response), underWay });
  };
}

const ownGuard = guardFor("app");

/** Skips the guard for pages that the app's own CORS headers already allow. */
function guardOf(response: ServerResponse): Guard | undefined {
  const allowed = String(response.getHeader("access-control-allow-origin"));
  return ["*", response.req.headers.origin].includes(allowed) ? undefined : ownGuard;
}

function isOurs(
  core: Core,
  request: IncomingMessage,
  response: ServerResponse,
  underWay: BytesUnderWay,
): boolean {
  const { bodyLimit, bodiesLimit } = core.settings;
  const { path } = new RequestCall(request, response, { bodyLimit, bodiesLimit, underWay });
  return core.route(path).known;
}

/** Whether other code has read the body, so that no more data will come. */
function isReadAlready({ readableEnded, headers }: IncomingMessage): boolean {
  const hasBody = headers["content-length"] !== undefined || "transfer-encoding" in headers;
  return readableEnded && hasBody && headers["content-length"] !== "0";
}

function bodyIsGone({ method, url }: IncomingMessage): EmulatorError {
  return invalidOption(
    `Cannot answer ${method} ${url}: its body was already read. Put Backlot's middleware before those that parse bodies.`,
  );
}
