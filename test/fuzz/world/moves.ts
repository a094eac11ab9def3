import { type Random, type Weighted } from "../random.ts";
import { type Draw, type Move } from "./asking.ts";
import { load, visit } from "./browser-moves.ts";
import { chat, script } from "./chat-moves.ts";
import { leave, refused } from "./client-moves.ts";
import { keep } from "./keeper-moves.ts";
import { pipeline } from "./pipeline-moves.ts";
import { beginStream, endStream } from "./stream-moves.ts";
import { fault, forget, reload, reset, restart, snapshot } from "./state-moves.ts";
import { burst, change, insert, read, replaceRows } from "./table-moves.ts";
import { exported, tell, watch } from "./telling-moves.ts";

const draws: readonly Weighted<Draw>[] = [
  [20, insert],
  [16, change],
  [20, read],
  [3, burst],
  [6, replaceRows],
  [16, chat],
  [4, script],
  [5, refused],
  [3, leave],
  [4, load],
  [2, visit],
  [0.6, pipeline],
  [0.6, beginStream],
  [1, endStream],
  [7, fault],
  [8, snapshot],
  [5, reset],
  [2, forget],
  [5, exported],
  [6, tell],
  [4, watch],
  [0.3, reload],
  [0.03, restart],
  [0.02, keep],
];

/** Any of all moves. */
export function anyMove(random: Random): Move {
  return random.weighted(draws)(random);
}
