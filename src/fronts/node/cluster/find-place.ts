import type { Core } from "../../../core/emulator/core.ts";
import { pathBelowControl } from "../../../core/emulator/control/control-room.ts";
import { readSessionAddress } from "../../../core/emulator/session-address.ts";
import type { Call } from "../../../core/http/call.ts";
import { ownerOf } from "./session-owner.ts";

/** The worker in which the base session is at home. */
export const home = 0;

/** Where a call is answered. */
export interface Place {
  /** Undefined: it makes no difference. */
  readonly worker: number | undefined;
  /** Its session; undefined: the base session. */
  readonly session: string | undefined;
  /** What its path has below `/__backlot`. Undefined: it is for the service. */
  readonly control: string | undefined;
}

/** Finds the worker that has to answer a call. */
export function findPlace(call: Call, core: Pick<Core, "route">, workers: number): Place {
  const { id: session, path, problem } = readSessionAddress(call);
  const control = pathBelowControl(path);
  if (problem !== undefined) return { worker: undefined, session: undefined, control: undefined };
  if (control !== undefined)
    return { worker: controlOwner(control, session, workers), session, control };
  if (session !== undefined) return { worker: ownerOf(session, workers), session, control };
  const { interface: asked } = core.route(path);
  return { worker: asked === "chat" ? undefined : home, session, control };
}

const anywhere: readonly string[] = ["", "/", "/health", "/console.json", "/fixtures.schema.json"];

// oxlint-disable-next-line max-params
function controlOwner(
  control: string,
  session: string | undefined,
  workers: number,
): number | undefined {
  if (anywhere.includes(control) || control.startsWith("/snapshots")) return undefined;
  if (control === "/sessions") return home;
  const named = sessionIn(control) ?? session;
  return named === undefined ? home : ownerOf(named, workers);
}

/** The session that a path of the control API is about, as `/sessions/{id}` is. */
export function sessionIn(control: string): string | undefined {
  const [, name] = /^\/sessions\/([^/]+)$/.exec(control) ?? [];
  if (name === undefined) return undefined;
  try {
    return decodeURIComponent(name);
  } catch {
    return undefined;
  }
}
