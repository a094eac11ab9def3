import { decodedPart } from "../http/url-parts.ts";
import { failed, ok, type Result } from "../errors/result.ts";
import type { Call, CallHeaders } from "../http/call.ts";
import { emptyReply, type Reply, withoutBody } from "../http/reply.ts";
import { allowReply, isPreflight, preflightReply, withCors } from "../http/cors.ts";
import type { ControlCall } from "../emulator/extras.ts";
import { controlPrefix } from "../emulator/routes.ts";
import { controlEnvelope, limitReply } from "../emulator/own-replies.ts";
import type { Session } from "../emulator/session.ts";
import { consoleHeader } from "../http/console-header.ts";
import { refuse, refuseMistake, type ControlErrorCode } from "./errors.ts";
import {
  largestControlBody,
  readQuery,
  type ControlRequest,
  type ControlScene,
  type ControlRoute,
} from "./read-call.ts";
import { routes } from "./routes.ts";
import { nearestName, showText } from "../errors/show.ts";
import { bearerKey, isAcceptedKey } from "../http/bearer-key.ts";
import { isLoopbackAddress, isLoopbackHost, isOwnOrigin, unaskedLoad } from "../emulator/access.ts";

/**
 * Answers a call to the control API. Checks the caller first, then path and method, then the query, and reads the
 * body last. A refused call changes nothing. A rejection is a bug in the emulator.
 */
export async function answerControl(controlCall: ControlCall): Promise<Reply> {
  const { call, setup } = controlCall;
  // The console's path is the prefix itself, with or without a trailing slash.
  const place = findPlace(controlCall.path === "" ? "/" : controlCall.path);
  const cors = setup.settings.cors && place.routes.some((route) => route.cors === true);
  if (cors && isPreflight(call)) return preflightReply(call, methodsOf(place));
  const reply = await answer(controlCall, place);
  const shown = guarded(call.method === "HEAD" ? withoutBody(reply) : reply);
  return cors ? withCors(shown, []) : shown;
}

async function answer(controlCall: ControlCall, place: Place): Promise<Reply> {
  const { call, path, sessionProblem: message } = controlCall;
  const refusal = controlCall.inProcess
    ? undefined
    : (refuseUnaskedLoad(call, place) ?? refuseForeignCaller(controlCall, place));
  if (refusal !== undefined) return refusal;
  if (message !== undefined) return refuse("invalid_session", { message });
  if (call.method === "OPTIONS" && place.routes.length > 0) return allowReply(methodsOf(place));
  const found = findRoute(call, path, place);
  if (!found.ok) return found.error;
  const { route, name } = found.value;
  const query = readQuery(call.query, route.query ?? []);
  if (!query.ok) return query.error;
  const { rowsLimit, addedLimit } = controlCall.setup.settings;
  const room = rowsLimit + addedLimit;
  const request = { call, name, query: query.value, routes, room };
  const reply = await answerUpToDate(route, controlCall, () =>
    answerAt(route, request, sceneOf(route, controlCall)),
  );
  return { answeredBy: `control: ${route.method} ${route.path}`, ...reply };
}

/**
 * The parts of the emulator that a route works with. The session starts when it is first used, unless the route only
 * reads.
 */
function sceneOf({ method }: ControlRoute, called: ControlCall): ControlScene {
  const { setup, timers, metrics, console, folder, current, sessionId } = called;
  let session: Session | undefined;
  return {
    setup,
    timers,
    metrics,
    console,
    folder,
    current,
    sessionId,
    get session() {
      return (session ??= setup.sessions.get(sessionId, method !== "GET"));
    },
  };
}

/** Answers with tables that are up to date, if several processes share them. */
async function answerUpToDate(
  { needsTables, method }: ControlRoute,
  { call, shared }: ControlCall,
  answerNow: () => Promise<Reply>,
): Promise<Reply> {
  if (shared === undefined || needsTables === undefined) return answerNow();
  const reads = method === "GET";
  // While this call holds the tables, nobody else can write, so read its body first.
  if (!reads) await call.readBody(largestControlBody);
  try {
    return await (reads ? shared.read(answerNow) : shared.write(answerNow));
  } catch (error) {
    const message = shared.unreachable(error);
    if (message === undefined) throw error;
    return refuse("tables_unavailable", { message, headers: { "x-should-retry": "false" } });
  }
}

/** Answers with a route. Turns errors of the emulator about the caller's input into refusals. */
async function answerAt(
  route: ControlRoute,
  request: ControlRequest,
  scene: ControlScene,
): Promise<Reply> {
  try {
    return (await route.answer(request, scene)) ?? emptyReply(204);
  } catch (error) {
    return limitReply(controlEnvelope, error) ?? refuseMistake(route.mistake, error);
  }
}

/** Adds headers: answers change each time, so browsers must not cache them, nor take them for scripts or images. */
function guarded(reply: Reply): Reply {
  const headers = { "cache-control": "no-store", "x-content-type-options": "nosniff" };
  return { ...reply, headers: { ...headers, ...reply.headers } };
}

/** The routes of one path. */
interface Place {
  readonly routes: readonly ControlRoute[];
  /** The value of the name in braces; still percent-encoded. */
  readonly name: string;
}

/** A route, and the decoded value of the name in braces. */
interface FoundRoute {
  readonly route: ControlRoute;
  readonly name: string;
}

/**
 * The routes of a path, for all methods. None if the path is unknown. A path without braces comes before one with
 * them.
 */
function findPlace(path: string): Place {
  const exact = routes.filter((route) => route.path === path);
  const fitting = routes.filter((route) => nameIn(path, route.path) !== undefined);
  const found = exact.length > 0 ? exact : fitting;
  const [first] = found;
  return { routes: found, name: (first && nameIn(path, first.path)) ?? "" };
}

/** The route for a call, or a refusal that names the right path or method. */
function findRoute({ method }: Call, path: string, place: Place): Result<FoundRoute, Reply> {
  if (place.routes.length === 0) return failed(unknownPath(method, path));
  const name = decodedPart(place.name);
  if (name === undefined) return failed(undecodable(path));
  const wanted = method === "HEAD" ? "GET" : method;
  const route = place.routes.find((candidate) => candidate.method === wanted);
  return route === undefined ? failed(wrongMethod(method, path, place)) : ok({ route, name });
}

/** The methods that a path answers. */
function methodsOf(place: Place): readonly string[] {
  return place.routes.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]));
}

/** The value of a pattern's name in braces; empty if it has none. Undefined: the path does not match. */
function nameIn(path: string, pattern: string): string | undefined {
  const [start = "", end] = pattern.split(/\{\w+\}/);
  if (end === undefined) return path === pattern ? "" : undefined;
  if (!path.startsWith(start) || !path.endsWith(end)) return undefined;
  const name = path.slice(start.length, path.length - end.length);
  return name === "" || name.includes("/") ? undefined : name;
}

function unknownPath(method: string, path: string): Reply {
  const paths = [...new Set(routes.map((route) => route.path))];
  // The prefix is correct, so it is left out: the longer the compared names are, the more typos are tolerated.
  const nearest = nearestName(
    path,
    paths.map((pattern) => filled(pattern, path)),
  );
  const advice =
    nearest === undefined
      ? `Use one of: ${paths.map((known) => controlPrefix + known).join(", ")}.`
      : `Did you mean "${controlPrefix}${nearest}"?`;
  const whole = showText(controlPrefix + path);
  return refuse("unknown_path", {
    message: `Cannot answer ${showMethod(method)} ${whole}: there is no such path. ${advice}`,
  });
}

/** A pattern with the path's own segment in place of the braces, if both have the same number of segments. */
function filled(pattern: string, path: string): string {
  const segments = path.split("/");
  const wanted = pattern.split("/");
  if (segments.length !== wanted.length) return pattern;
  return wanted
    .map((segment, at) => (segment.startsWith("{") ? segments[at] || segment : segment))
    .join("/");
}

function wrongMethod(method: string, path: string, place: Place): Reply {
  const allowed = methodsOf(place);
  return refuse("method_not_allowed", {
    message:
      `Cannot answer ${showMethod(method)} ${showText(controlPrefix + path)}: ` +
      `only ${allowed.join(", ")} can be used there.`,
    headers: { allow: [...allowed, "OPTIONS"].join(", ") },
  });
}

function undecodable(path: string): Reply {
  return refuse("invalid_path", {
    message:
      `Cannot read the path ${showText(controlPrefix + path)}: it has a percent escape that is not UTF-8 text. ` +
      "Encode names as encodeURIComponent does; a percent sign is %25.",
  });
}

/** A method as sent, shortened if it is longer than any real one. */
function showMethod(method: string): string {
  return method.length > 20 ? `${method.slice(0, 20)}…` : method;
}

const fromPage = "Call the control API from a program, or from a page of this server.";

/** Refuses what a browser fetches ahead, and what a page of another site embeds, such as the console in a frame. */
function refuseUnaskedLoad({ headers }: Call, { routes: asked }: Place): Reply | undefined {
  const load = unaskedLoad(headers);
  if (load === undefined || asked.some(({ cors }) => cors === true)) return undefined;
  return refuseCaller("foreign_origin", `a page of another site: ${load}. ${fromPage}`);
}

/**
 * Refuses a call that may come from a web page, through a form or DNS rebinding, or from another machine. Nothing of
 * the call is read before this check.
 */
function refuseForeignCaller(
  { call: { headers }, peerAddress, setup }: ControlCall,
  place: Place,
): Reply | undefined {
  const { controlToken: token } = setup.settings;
  if (place.routes.some(({ open }) => open === true)) return undefined;
  const { host = "", origin } = headers;
  if (origin !== undefined && !isOwnOrigin(origin, host)) {
    const who = `a page of another origin: the Origin is ${showText(origin)}`;
    return refuseCaller("foreign_origin", `${who}. ${fromPage}`);
  }
  if (origin === undefined && isFromElsewhere(headers)) {
    const who = "a page of another origin, which sends no header that only a page of this server";
    return refuseCaller("foreign_origin", `${who} can send, such as ${consoleHeader}. ${fromPage}`);
  }
  if (token !== undefined) {
    const key = bearerKey(headers["authorization"]);
    if (key !== undefined && isAcceptedKey(key, [token])) return undefined;
    const why = "without the control token: it is missing or wrong";
    return refuseCaller("wrong_token", `${why}. Send "Authorization: Bearer <control token>".`);
  }
  const beyond = "a caller from another machine";
  // The address decides, not the Host: any program can send any Host. Only browsers always send the Host that they
  // have resolved.
  if (peerAddress !== undefined && !isLoopbackAddress(peerAddress)) {
    const who = `${beyond}: its address is ${peerAddress || "no longer known"}`;
    return refuseCaller("foreign_peer", `${who}. Start with a control token, and send it.`);
  }
  if (isLoopbackHost(host)) return undefined;
  const who = `${beyond}: the Host is ${host === "" ? "missing" : showText(host)}`;
  const advice = "Use localhost or 127.0.0.1, or start with a control token.";
  return refuseCaller("foreign_host", `${who}. ${advice}`);
}

/**
 * Whether a browser sends a request for a page of another origin. Such a page can send neither the console's header
 * nor a key without a preflight, which is refused.
 */
function isFromElsewhere(headers: CallHeaders): boolean {
  const { "sec-fetch-site": site } = headers;
  if (site === undefined || site === "same-origin" || site === "none") return false;
  return headers[consoleHeader] === undefined && headers["authorization"] === undefined;
}

function refuseCaller(code: ControlErrorCode, what: string): Reply {
  return refuse(code, { message: `Cannot answer ${what}` });
}
