import { blocks } from "./blocks.ts";
import { changingFolder } from "./changing-folder.ts";
import { clock } from "./clock.ts";
import { noSpace } from "./disk.ts";
import { halfOpen } from "./half-open.ts";
import type { Scenario } from "./scenario.ts";
import { sigterm } from "./sigterm.ts";
import { slowReaders } from "./slow-readers.ts";
import { streams } from "./streams.ts";
import { vanish } from "./vanish.ts";

/** In the order in which they run. */
export const scenarios: readonly Scenario[] = [
  blocks,
  streams,
  slowReaders,
  vanish,
  halfOpen,
  noSpace,
  changingFolder,
  clock,
  sigterm,
];
