import type { Extras } from "../../core/emulator/extras.ts";
import { starbasedbProfile } from "../../extras/starbasedb/profile.ts";

/** What a server has besides the core; the command and the Vite plugin have the same. */
export const nodeExtras: Extras = {
  tableProfiles: [starbasedbProfile],
  console: () => import("../../extras/console/console-page.ts"),
};
