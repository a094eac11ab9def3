import type { RequestView } from "./request-view.ts";
import { ScriptIndex } from "./script-index.ts";
import type { ScriptList, SharedScripts } from "../scripts/script-list.ts";
import type { Script } from "../scripts/script.ts";

/** Fewer scripts are looked through faster than an index is. */
const leastIndexed = 16;

/** Made when a request first needs them. Sessions share them, as they do the scripts. */
const indexes = new WeakMap<SharedScripts, ScriptIndex>();

/** Offers the scripts that may match a request, in order, until one is taken. Others cannot match it. */
export function findScripts(
  { added, shared, removed }: ScriptList,
  view: RequestView,
  take: (script: Script) => boolean,
): void {
  if (added.some(take)) return;
  const takeShared =
    removed.size === 0 ? take : (script: Script) => !removed.has(script.name) && take(script);
  if (shared.scripts.length < leastIndexed) {
    shared.scripts.some(takeShared);
    return;
  }
  indexOf(shared).find(view, (place) => {
    const script = shared.scripts[place];
    return script !== undefined && takeShared(script);
  });
}

function indexOf(shared: SharedScripts): ScriptIndex {
  const known = indexes.get(shared);
  if (known !== undefined) return known;
  const index = new ScriptIndex(shared.scripts);
  indexes.set(shared, index);
  return index;
}
