import { cannotStart } from "../cannot-start.ts";

/**
 * How long what requests change lasts. `memory`: until the page is loaded anew, and for this page alone. `tab`: as long
 * as the tab, over reloads. `origin`: until it is reset or the fixtures are others, for all tabs.
 */
export type Persistence = "memory" | "tab" | "origin";

const persistences: readonly string[] = ["memory", "tab", "origin"];

/** The session that a page's requests are in. */
export interface PageSession {
  /** Undefined: the base session. */
  readonly id: string | undefined;
  /** Whether it goes with the page. */
  readonly isPassing: boolean;
}

/** Where a tab keeps the name of its session. */
const storageKey = "backlot session";

/** The session for this page. Throws `ERR_OPTION_INVALID`. */
export function pageSession(persist: Persistence): PageSession {
  if (!persistences.includes(persist)) {
    throw cannotStart(
      `persist is ${JSON.stringify(persist)}. Use one of: ${persistences.join(", ")}.`,
    );
  }
  if (persist === "origin") return { id: undefined, isPassing: false };
  if (persist === "memory") return { id: newName("page"), isPassing: true };
  const id = sessionStorage.getItem(storageKey) ?? newName("tab");
  sessionStorage.setItem(storageKey, id);
  return { id, isPassing: false };
}

function newName(kind: string): string {
  return `${kind}-${crypto.randomUUID().slice(0, 13)}`;
}
