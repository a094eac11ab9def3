import type { VNode } from "preact";
import { ConfirmButton } from "../parts/confirm-button.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { useActions } from "../parts/use-actions.ts";
import { useKept } from "../parts/use-kept.ts";
import { filterRequests, noFilter } from "./filter.ts";
import { RequestDetails } from "./request-details.tsx";
import { RequestFilters } from "./request-filters.tsx";
import { RequestList } from "./request-list.tsx";
import type { WatchedRequests } from "./use-requests.ts";

interface RequestsViewProps {
  readonly requests: WatchedRequests;
  /** The id of the request whose details are shown. */
  readonly selected: string | undefined;
}

const states: Readonly<Record<WatchedRequests["state"], string>> = {
  connecting: "connecting…",
  live: "live",
  polling: "updated every few seconds",
  lost: "no connection; trying again",
};

const tones: typeof states = { connecting: "warn", live: "good", polling: "warn", lost: "bad" };

/** The requests, as they arrive. */
export function RequestsView({ requests, selected }: RequestsViewProps): VNode {
  const [filter, setFilter] = useKept("requests", noFilter);
  const { refusal, act } = useActions(() => undefined);
  const { entries, state } = requests;
  const shown = filterRequests(entries, filter);
  const entry = entries.findLast(({ id }) => id === selected);
  const clear = (): void => void act("List cleared.", "/requests", { method: "DELETE" });
  return (
    <>
      <PageHead
        title="Requests"
        note={
          <>
            <span class={`dot ${tones[state]}`} aria-hidden="true" /> {states[state]} ·{" "}
            {shown.length} of {entries.length}
          </>
        }
      >
        <ConfirmButton label="Clear" about="all requests" onConfirm={clear} />
      </PageHead>
      <RequestFilters filter={filter} onChange={setFilter} />
      <FailureNotice failure={refusal} />
      <div class={entry === undefined ? "split" : "split open"}>
        <RequestList entries={shown} selected={selected} isEmpty={entries.length === 0} />
        {entry !== undefined && <RequestDetails key={entry.id} entry={entry} />}
      </div>
    </>
  );
}
