import { controlPrefix } from "../../control/prefix.ts";

/** What a path has below `/__backlot`; undefined when it is not there. */
export function pathBelowControl(path: string): string | undefined {
  if (!path.startsWith(controlPrefix)) return undefined;
  const below = path.slice(controlPrefix.length);
  return below === "" || below.startsWith("/") ? below : undefined;
}

interface ControlRoom {
  readonly answerControl: typeof import("../../control/answer-control.ts").answerControl;
  readonly controlContext: typeof import("./control-context.ts").controlContext;
}

let loaded: Promise<ControlRoom> | undefined;

/** Loaded when it is first needed: most never ask for it. */
export function controlRoom(): Promise<ControlRoom> {
  loaded ??= Promise.all([
    import("../../control/answer-control.ts"),
    import("./control-context.ts"),
  ]).then(([{ answerControl }, { controlContext }]) => ({ answerControl, controlContext }));
  return loaded;
}
