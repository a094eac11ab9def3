import type { Call } from "../http/call.ts";
import { findPlace } from "../http/endpoint.ts";
import { azurePaths } from "./azure.ts";
import type { ChatContext } from "./context.ts";
import { type ChatEndpoint, chatEndpoints, endpointsUnder } from "./endpoints.ts";
import { type ChatError, chatErrors } from "./errors.ts";

/** Everything that an answer depends on, and what is served. */
export interface ServedChat extends ChatContext {
  /** All endpoints, those of other profiles too. Default: `chatEndpoints`. */
  readonly endpoints?: readonly ChatEndpoint[];
}

/**
 * The error for a path that is not answered: another profile has it, Backlot does not emulate it, or the service has no
 * such path.
 */
export function unknownPath(call: Call, context: ServedChat): ChatError {
  const { method, path, prefix = "" } = call;
  const mount = mountOf(path, context);
  const below = path.slice(mount?.length ?? 0);
  const what = foreignPath(below);
  if (what !== undefined) return chatErrors.notEmulated(method, prefix + path, what);
  const instead = insteadOf(below, mount, context);
  if (instead !== undefined) return chatErrors.otherProfile(method, prefix + path, instead);
  return noSuchPath(call, mount ?? context.basePaths?.[0] ?? "", context);
}

/** The error for a method that a path does not answer. */
export function wrongMethod(
  call: Call,
  methods: readonly string[],
  context: ServedChat,
): ChatError {
  const { method, path, prefix = "" } = call;
  const what = foreignPath(path.slice(mountOf(path, context)?.length ?? 0));
  return what === undefined
    ? chatErrors.wrongMethod(method, prefix + path, methods)
    : chatErrors.notEmulated(method, prefix + path, what);
}

/** The longest mount point above a path, Azure's included. Undefined: the path is below none. */
function mountOf(path: string, { basePaths = [""] }: ServedChat): string | undefined {
  const mounts = [...basePaths, ...azurePaths(basePaths)];
  const found = mounts.filter((mount) => path.startsWith(`${mount}/`));
  return found.toSorted((one, other) => other.length - one.length)[0];
}

/** The parts of the service that Backlot does not emulate, by their path below the mount point or its first segment. */
const foreign: Readonly<Record<string, string>> = {
  "/assistants": "assistants",
  "/audio": "speech and transcriptions",
  "/batches": "batches",
  "/completions": "completions of a prompt, which chat completions replaced",
  "/containers": "containers",
  "/conversations": "conversations",
  "/evals": "evals",
  "/files": "files",
  "/fine_tuning": "fine-tuning",
  "/images": "images",
  "/moderations": "moderations",
  "/realtime": "realtime sessions",
  "/responses/compact": "compaction of a conversation",
  "/threads": "threads",
  "/uploads": "uploads",
  "/vector_stores": "vector stores",
  "/videos": "videos",
};

/**
 * The part of the service that a path belongs to, if Backlot does not emulate it. Undefined: the path belongs to no
 * such part.
 */
export function foreignPath(path: string): string | undefined {
  const [, first = ""] = path.split("/");
  const known = [path, `/${first}`].find((place) => Object.hasOwn(foreign, place));
  return known === undefined ? undefined : foreign[known];
}

/**
 * A sentence that says what to use in place of a path that only another profile has. Undefined: no other profile has
 * it.
 */
function insteadOf(
  below: string,
  mount: string | undefined,
  { profile, endpoints = chatEndpoints, basePaths = [""] }: ServedChat,
): string | undefined {
  if (profile.isWhole) return undefined;
  const [found] = findPlace(endpoints, below).endpoints;
  if (found === undefined || mount === undefined) return undefined;
  return basePaths.includes(mount) ? found.instead : `Use /v1${below}.`;
}

/**
 * The error for a path that the service does not have. It names the paths below the request's mount point and session.
 */
function noSuchPath(
  { method, path, prefix = "" }: Call,
  base: string,
  context: ServedChat,
): ChatError {
  const root = prefix + base;
  const own = endpointsUnder(context.profile, context.endpoints ?? chatEndpoints).map(
    (endpoint) => `${endpoint.method} ${root}${endpoint.path}`,
  );
  const others = (context.otherPaths?.(base) ?? []).map((other) => prefix + other);
  return chatErrors.unknownPath(method, prefix + path, [...own, ...others], root);
}
