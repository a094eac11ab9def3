import type { Core } from "../../core/emulator/core.ts";
import type { FixturePlace } from "../node/fixture-place.ts";
import { entryPoints } from "./curl-lines.ts";
import { countFixtures } from "./fixture-counts.ts";
import type { Ready } from "./log.ts";
import type { StartOptions } from "./start-options.ts";

/** What is told when a server answers at a URL. */
export function readyFacts(
  core: Core,
  url: string,
  { options, place }: { readonly options: StartOptions; readonly place: FixturePlace },
): Ready {
  return {
    version: options.version,
    url,
    ...entryPoints(core, url),
    fixtures: place.label,
    counts: countFixtures(core.fixtures),
    watching: options.watch === true,
  };
}
