import type { Schema } from "../../core/schema/schema.ts";
import { oneOf } from "../../core/schema/values.ts";

/**
 * How long changes last when our own service worker answers. `memory`: until the page reloads, for this page alone.
 * `tab`: as long as the tab, across reloads. `origin`: until a reset or a change of fixtures, for all tabs.
 */
export type Persistence = "memory" | "tab" | "origin";

export const persistence: Schema<Persistence> = oneOf(["memory", "tab", "origin"]);
