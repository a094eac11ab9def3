import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Failure } from "../api/failure.ts";
import { useConsole } from "../parts/console-context.ts";
import { ConfirmButton } from "../parts/confirm-button.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { PageHead } from "../parts/page-head.tsx";
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
  polling: "asking every few seconds",
  lost: "no connection; trying again",
};

/** What was asked of the service, as it comes. */
export function RequestsView({ requests, selected }: RequestsViewProps): VNode {
  const { client, announce } = useConsole();
  const [filter, setFilter] = useKept("requests", noFilter);
  const [failure, setFailure] = useState<Failure>();
  const { entries, state } = requests;
  const shown = filterRequests(entries, filter);
  const entry = entries.findLast(({ id }) => id === selected);
  const clear = async (): Promise<void> => {
    const answer = await client.control("/requests", { method: "DELETE" });
    setFailure(answer.ok ? undefined : answer.error);
    if (answer.ok) announce("The list is empty.");
  };
  return (
    <>
      <PageHead
        title="Requests"
        note={
          <>
            <span class={`dot ${state}`} aria-hidden="true" /> {states[state]} · {shown.length} of{" "}
            {entries.length}
          </>
        }
      >
        <ConfirmButton label="Clear" about="all requests" onConfirm={() => void clear()} />
      </PageHead>
      <RequestFilters filter={filter} onChange={setFilter} />
      <FailureNotice failure={failure} />
      <div class={entry === undefined ? "split" : "split open"}>
        <RequestList entries={shown} selected={selected} isEmpty={entries.length === 0} />
        {entry !== undefined && <RequestDetails key={entry.id} entry={entry} />}
      </div>
    </>
  );
}
