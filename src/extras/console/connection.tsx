import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { ConsoleSetup, Failure } from "./api/client.ts";
import { Button } from "./parts/controls.tsx";
import { FailureNotice } from "./parts/display.tsx";
import type { WatchedRequests } from "./requests/use-requests.ts";

/** The states of the connection in words, with their tones. */
const states = {
  connecting: { words: "connecting…", tone: "warn" },
  live: { words: "live", tone: "" },
  polling: { words: "updated every few seconds", tone: "warn" },
  lost: { words: "server gone; trying again", tone: "bad" },
} as const;

/** A word in the head of every view, which says whether the page is up to date. */
export function ConnectionBadge({
  requests: { state, lag },
}: {
  readonly requests: Pick<WatchedRequests, "state" | "lag">;
}): VNode {
  const { words, tone } = lag > 0 ? { words: `lagging by ${lag}`, tone: "warn" } : states[state];
  return (
    <span class={`badge connection ${tone}`} role="status" aria-label="Connection" title={words}>
      {words}
    </span>
  );
}

/** Says in every view that the fixtures on the disk cannot be used, as Vite's overlay does. */
export function BrokenFixtures({
  problem,
}: {
  readonly problem: ConsoleSetup["fixtureProblem"];
}): VNode | null {
  if (problem === null) return null;
  const { file, line, column, message } = problem;
  const place = [file, line, column].filter((part) => part !== undefined).join(":");
  return (
    <div class="toast notice bad" role="alert">
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
    <div class="toast">
      <FailureNotice failure={failure} />
      <Button text="Close" class="quiet" onClick={onClose} />
    </div>
  );
}

interface ToldProps {
  readonly text: string;
  readonly onClose: () => void;
}

/** A message about an action in the view. */
export function Told({ text, onClose }: ToldProps): VNode | null {
  if (text === "") return null;
  return (
    <div class="toast">
      <p>{text}</p>
      <Button text="Close" class="quiet" onClick={onClose} />
    </div>
  );
}

/** Says that the page is about a session that nobody has used yet. */
export function NotBegun({
  setup: { session, hasBegun },
}: {
  readonly setup: Pick<ConsoleSetup, "session" | "hasBegun">;
}): VNode | null {
  const [isClosed, setClosed] = useState(false);
  if (hasBegun || isClosed) return null;
  return (
    <div class="toast">
      <p>
        There is no session “{session}” yet. It begins with its first request, or with a change that
        you make here. Until then you see what it would begin with.
      </p>
      <Button text="Close" class="quiet" onClick={() => setClosed(true)} />
    </div>
  );
}
