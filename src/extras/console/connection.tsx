import type { VNode } from "preact";
import type { ConsoleSetup, Failure } from "./api/client.ts";
import { Button } from "./parts/controls.tsx";
import { FailureNotice } from "./parts/display.tsx";
import type { WatchedRequests } from "./requests/use-requests.ts";

/** How the connection is, in words, with their tones. */
const states = {
  connecting: { words: "connecting…", tone: "warn" },
  live: { words: "live", tone: "good" },
  polling: { words: "updated every few seconds", tone: "warn" },
  lost: { words: "server gone; trying again", tone: "bad" },
} as const;

/** A word in the head of every view: whether what is shown is up to date. */
export function ConnectionBadge({
  requests: { state, lag },
}: {
  readonly requests: Pick<WatchedRequests, "state" | "lag">;
}): VNode {
  const { words, tone } = lag > 0 ? { words: `lagging by ${lag}`, tone: "warn" } : states[state];
  return (
    <span class={`badge ${tone}`} role="status" aria-label="Connection">
      {words}
    </span>
  );
}

/** Says above every view that the fixtures on the disk cannot be used, as Vite's overlay does. */
export function BrokenFixtures({
  problem,
}: {
  readonly problem: ConsoleSetup["fixtureProblem"];
}): VNode | null {
  if (problem === null) return null;
  const { file, line, column, message } = problem;
  const place = [file, line, column].filter((part) => part !== undefined).join(":");
  return (
    <div class="notice bad" role="alert">
      <p>
        <strong>The fixtures are broken{place !== "" && `: ${place}`}</strong>
      </p>
      <p class="said">{message}</p>
      <p>The server goes on with those that it loaded before.</p>
    </div>
  );
}

/** Says that an action failed, in whichever view it was started. */
export function FailedAction({
  failure,
  onClose,
}: {
  readonly failure: Failure | undefined;
  readonly onClose: () => void;
}): VNode | null {
  if (failure === undefined) return null;
  return (
    <div class="row">
      <FailureNotice failure={failure} />
      <Button text="Close" class="quiet" onClick={onClose} />
    </div>
  );
}
