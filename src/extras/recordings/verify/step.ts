import type { Place } from "../../../core/replay/recording-path.ts";
import type { KnownShapes } from "./compare-shapes.ts";

/** Something that holds of an answer's JSON, or does not. */
export interface Fact {
  /** Such as `at most 2 rows`. */
  readonly name: string;
  readonly holds: (body: unknown) => boolean;
}

/** Where a request comes from. */
export type StepSource =
  /** `number` is its place in the cassette, from 1. */
  { readonly cassette: string; readonly number: number } | { readonly check: string };

/** One request that is to be compared, or why it is not. */
export interface VerifyStep {
  readonly source: StepSource;
  readonly interface: ComparedRequest["interface"];
  /** Undefined: there is nothing to ask. */
  readonly asked: ComparedRequest | undefined;
  /** Why it is left out. Undefined: it is asked. */
  readonly skipped?: string;
  readonly known?: KnownShapes;
  /** Places whose values are compared, too. */
  readonly stable: readonly Place[];
  readonly facts?: readonly Fact[];
  /** See `CompareRules`. */
  readonly isUnfinished?: boolean;
}

/** How a reader finds the source: `cassettes/chat-hello.json 2`, `lists the models`. */
export function sourceName(source: StepSource): string {
  return "check" in source ? source.check : `cassettes/${source.cassette}.json ${source.number}`;
}

/** A request as both the service and the emulator are asked it. */
export interface ComparedRequest {
  readonly interface: "chat" | "rest";
  readonly method: string;
  /** Below the interface's mount point. Begins with a slash; still percent-encoded. */
  readonly path: string;
  /** Without the question mark; empty when there is none. */
  readonly query: string;
  /** By lower-case name, without the key. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
  /** Whether the key goes with it. Default true. */
  readonly withKey?: boolean;
}

/** How a reader knows a request: `GET /users?limit=2`. */
export function requestLine({ method, path, query }: ComparedRequest): string {
  return query === "" ? `${method} ${path}` : `${method} ${path}?${query}`;
}

/** Whether a request only reads. A completion changes nothing that others see. */
export function isRead({ interface: room, method, path }: ComparedRequest): boolean {
  if (["GET", "HEAD", "OPTIONS"].includes(method)) return true;
  return room === "chat" && method === "POST" && /^\/chat\/completions\/?$/.test(path);
}

/** The request below an address. Throws where no request can be made of it. */
export function fetchRequest(
  asked: ComparedRequest,
  { base, key, signal }: { base: string; key: string | undefined; signal: AbortSignal },
): Request {
  const query = asked.query === "" ? "" : `?${asked.query}`;
  const headers = new Headers(asked.headers);
  if (asked.body !== undefined && !headers.has("content-type")) {
    headers.set("content-type", "application/json");
  }
  if (key !== undefined && asked.withKey !== false) headers.set("authorization", `Bearer ${key}`);
  const path = asked.path === "" || asked.path.startsWith("/") ? asked.path : `/${asked.path}`;
  return new Request(`${base}${path}${query}`, {
    method: asked.method,
    headers,
    redirect: "manual",
    signal,
    ...(asked.body === undefined ? {} : { body: new Uint8Array(asked.body) }),
  });
}
