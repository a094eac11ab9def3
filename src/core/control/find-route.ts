import { failed, ok, type Result } from "../errors/result.ts";
import { nearestName } from "../errors/nearest-name.ts";
import type { Call } from "../http/call.ts";
import type { Reply } from "../http/reply.ts";
import { showText } from "../errors/show.ts";
import { refuse } from "./errors.ts";
import { controlPrefix } from "./prefix.ts";
import type { Route } from "./route.ts";

/** The routes of one path. */
export interface Place {
  readonly routes: readonly Route[];
  /** What the path has where the routes have braces; still percent-encoded. */
  readonly name: string;
}

/** A route, and what the path has where it has braces, decoded. */
export interface FoundRoute {
  readonly route: Route;
  readonly name: string;
}

/** The routes at a path, whatever their methods. None where the path is unknown. */
export function findPlace(path: string, routes: readonly Route[]): Place {
  const found = routes.filter((route) => nameIn(path, route.path) !== undefined);
  const [first] = found;
  return { routes: found, name: (first && nameIn(path, first.path)) ?? "" };
}

/** The route that answers a call, or the refusal that says which would. */
export function findRoute(
  { method }: Call,
  path: string,
  { place, all }: { readonly place: Place; readonly all: readonly Route[] },
): Result<FoundRoute, Reply> {
  if (place.routes.length === 0) return failed(unknownPath(method, path, all));
  const name = decode(place.name);
  if (name === undefined) return failed(undecodable(path));
  const wanted = method === "HEAD" ? "GET" : method;
  const route = place.routes.find((candidate) => candidate.method === wanted);
  return route === undefined ? failed(wrongMethod(method, path, place)) : ok({ route, name });
}

/** The methods that a path answers. */
export function methodsOf({ routes }: Place): readonly string[] {
  return routes.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]));
}

/** What a path has in place of the braces of a pattern, or nothing where there are none. Undefined: it does not fit. */
function nameIn(path: string, pattern: string): string | undefined {
  const [start = "", end] = pattern.split(/\{\w+\}/);
  if (end === undefined) return path === pattern ? "" : undefined;
  if (!path.startsWith(start) || !path.endsWith(end)) return undefined;
  const name = path.slice(start.length, path.length - end.length);
  return name === "" || name.includes("/") ? undefined : name;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function unknownPath(method: string, path: string, routes: readonly Route[]): Reply {
  const paths = [...new Set(routes.map((route) => route.path))];
  // Without the prefix, which is right already: the longer a name, the more of it may be wrong.
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

/** A pattern with the segment that a path has there in its braces, where it is as long. */
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
    headers: { allow: allowed.join(", ") },
  });
}

function undecodable(path: string): Reply {
  return refuse("invalid_path", {
    message:
      `Cannot read the path ${showText(controlPrefix + path)}: it has a percent escape that is not UTF-8 text. ` +
      "Encode names as encodeURIComponent does; a percent sign is %25.",
  });
}

/** A method as it came, unless it is longer than any. */
function showMethod(method: string): string {
  return method.length > 20 ? `${method.slice(0, 20)}…` : method;
}
