import { decodedOrSent } from "../../../core/http/url-parts.ts";
import { useEffect, useState } from "preact/hooks";

export const viewNames = ["requests", "tables", "chats", "scripts", "sessions", "faults"] as const;
export type ViewName = (typeof viewNames)[number];

/** The shown view and its object. */
export interface ConsoleRoute {
  readonly view: ViewName;
  readonly name: string | undefined;
}

/** The route of a hash such as `#/tables/users`. */
export function readRoute(hash: string): ConsoleRoute {
  const [view, name] = hash.replace(/^#\/?/, "").split("/").map(decodedOrSent);
  return {
    view: viewNames.find((known) => known === view) ?? "requests",
    name: name === "" ? undefined : name,
  };
}

/** The hash of a view. */
export function hashOf(view: ViewName, name?: string): string {
  return name === undefined ? `#/${view}` : `#/${view}/${encodeURIComponent(name)}`;
}

export function useRoute(): ConsoleRoute {
  const [route, setRoute] = useState(() => readRoute(location.hash));
  useEffect(() => {
    const follow = (): void => setRoute(readRoute(location.hash));
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return route;
}
