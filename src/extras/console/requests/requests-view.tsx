import type { VNode } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { ConfirmButton } from "../parts/confirm-button.tsx";
import { useConsole } from "../parts/console-context.ts";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { FirstSteps } from "../parts/first-steps.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { hashOf, useRoute, useUrlState } from "../parts/route.ts";
import { useActions } from "../parts/use-actions.ts";
import { firstList, isOwn, listRequests, type RequestListState } from "./filter.ts";
import { detailTabs, RequestDetails } from "./request-details.tsx";
import { RequestFilters } from "./request-filters.tsx";
import { RequestGrid } from "./request-grid.tsx";
import { SaveHar } from "./save-har.tsx";
import { keyIn, entryKey } from "./summary.ts";
import type { WatchedRequests } from "./use-requests.ts";

interface RequestsViewProps {
  readonly requests: WatchedRequests;
  /** The key of the request whose details are shown. */
  readonly selected: string | undefined;
}

/** The requests, as they arrive. */
export function RequestsView({ requests, ...props }: RequestsViewProps): VNode {
  const { setup } = useConsole();
  const selected = keyIn(setup.session, props.selected);
  const [state, change] = useUrlState({ ...firstList, tab: "why" });
  const { state: inUrl } = useRoute();
  const [paused, setPaused] = useState<WatchedRequests["entries"]>();
  // Here, since what is done may empty the journal.
  const [told, tell] = useState("");
  const { refusal, act } = useActions(() => setPaused(undefined));
  const entries = paused ?? requests.entries;
  useEffect(() => requests.watchAll(state.all !== ""), [state.all]);
  const shown = useListed(entries, state);
  const entry = requests.entries.find((one) => entryKey(one) === selected);
  const pending = requests.entries.filter((one) => one.ended === "pending").length;
  const counts = `${shown.length} of ${requests.entries.length}`;
  // No entry of the history for each step through the list.
  const select = (key?: string): void => {
    tell("");
    location.replace(hashOf("requests", key, inUrl));
  };
  const press = tabKeys(state.tab, (tab) => entry !== undefined && change({ tab }));
  return (
    <>
      <PageHead
        title="Requests"
        note={
          <WatchNote state={paused === undefined ? requests.state : "paused"} counts={counts} />
        }
      >
        <ListButtons
          pending={pending}
          isPaused={paused !== undefined}
          ofAll={state.all !== ""}
          onPending={() => change({ ended: "pending" })}
          onPause={() => setPaused(paused === undefined ? requests.entries : undefined)}
          onClear={() => void act("List cleared.", "/requests", { method: "DELETE" })}
        />
      </PageHead>
      <RequestFilters state={state} onChange={change} />
      <FailureNotice failure={refusal} />
      {told !== "" && <p class="notice">{told}</p>}
      <div class={entry === undefined ? "split" : "split open"}>
        {shown.length === 0 ? (
          <NoRequests areFiltered={!entries.every(isOwn)} />
        ) : (
          <RequestGrid
            entries={shown}
            selected={selected}
            sort={state.sort}
            onSort={(by) => change({ sort: by })}
            onSelect={select}
            onKey={press}
          />
        )}
        {entry !== undefined && (
          <RequestDetails entry={entry} entries={entries} tell={tell} onClose={() => select()} />
        )}
      </div>
    </>
  );
}

/** What keys do in the list besides moving: Enter goes to the details, left and right to their other tabs. */
function tabKeys(tab: string, choose: (tab: string) => void): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.key === "Enter") document.getElementById("request-heading")?.focus();
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const { length } = detailTabs;
    choose(detailTabs[(detailTabs.indexOf(tab) + step + length) % length] ?? "why");
  };
}

/** The requests that are shown. Only what decides that lists them again: not the selection, nor the tab. */
function useListed(
  entries: WatchedRequests["entries"],
  { find, kind, ended, own, sort }: RequestListState,
): WatchedRequests["entries"] {
  return useMemo(
    () => listRequests(entries, { find, kind, ended, own, sort }),
    [entries, find, kind, ended, own, sort],
  );
}

function NoRequests({ areFiltered }: { readonly areFiltered: boolean }): VNode {
  return areFiltered ? <p class="empty">No request matches the filter.</p> : <FirstSteps />;
}

/** How the list is kept up to date: in words, and their tone. */
const watchStates = {
  connecting: { words: "connecting…", tone: "warn" },
  live: { words: "live", tone: "good" },
  polling: { words: "updated every few seconds", tone: "warn" },
  lost: { words: "no connection; trying again", tone: "bad" },
  paused: { words: "paused", tone: "warn" },
} as const;

interface WatchNoteProps {
  readonly state: keyof typeof watchStates;
  readonly counts: string;
}

function WatchNote({ state, counts }: WatchNoteProps): VNode {
  const { words, tone } = watchStates[state];
  return (
    <>
      <span class={`dot ${tone}`} aria-hidden="true" /> {words} · {counts}
    </>
  );
}

interface ListButtonsProps {
  /** How many requests are under way. */
  readonly pending: number;
  readonly isPaused: boolean;
  readonly ofAll: boolean;
  readonly onPending: () => void;
  readonly onPause: () => void;
  readonly onClear: () => void;
}

function ListButtons(props: ListButtonsProps): VNode {
  const { pending, isPaused, ofAll, onPending, onPause, onClear } = props;
  return (
    <>
      {pending > 0 && (
        <button type="button" onClick={onPending}>
          {pending} under way
        </button>
      )}
      <button type="button" aria-pressed={isPaused} onClick={onPause}>
        Pause
      </button>
      <SaveHar ofAll={ofAll} />
      <ConfirmButton label="Clear" about="all requests" onConfirm={onClear} />
    </>
  );
}
