import type { VNode } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { ConfirmButton, Button, CopyButton } from "../parts/controls.tsx";
import type { JournalSummary } from "../../../core/emulator/journal/entry.ts";
import { useConsole, useActions, useKept } from "../parts/use-console.ts";
import { FailureToast, PageHead, Toast } from "../parts/display.tsx";
import { download } from "../parts/download.ts";
import { SplitPane } from "../parts/split-pane.tsx";
import { hashOf, readRoute, useRoute, useUrlState } from "../parts/route.ts";
import { RequestFilters } from "./request-filters.tsx";
import { firstList, isOwn, listRequests, type RequestListState } from "./filter.ts";
import { withDividers } from "./dividers.ts";
import { tabAfter } from "./exchange-tabs.tsx";
import { RequestDetails } from "./request-details.tsx";
import { RequestGrid } from "./request-grid.tsx";
import { keyIn, entryKey } from "./summary.ts";
import { type GridLine, threadKey, withThreads } from "./thread-lines.ts";
import { type Thread, Threads } from "./threads.ts";
import type { WatchedRequests } from "./use-requests.ts";
import { useSearch } from "./use-search.ts";
import { curlOf } from "./curl.ts";
import { firstRequests } from "./first-requests.ts";

interface RequestsViewProps {
  readonly requests: WatchedRequests;
  /** The key of the request whose details are shown. */
  readonly selected: string | undefined;
}

/** The view of the requests, as they arrive. */
export function RequestsView({ requests, ...props }: RequestsViewProps): VNode {
  const { setup } = useConsole();
  const selected = keyIn(setup.session, props.selected);
  const [state, change] = useUrlState({ ...firstList, tab: "why" });
  const [paused, setPaused] = useState<WatchedRequests["entries"]>();
  // The message is kept here, since the action may empty the journal and so close the details.
  const [told, tell] = useState("");
  const { refusal, act } = useActions(() => setPaused(undefined));
  const isPaused = paused !== undefined;
  const entries = paused ?? requests.entries;
  useEffect(() => requests.watchAll(state.all !== ""), [state.all]);
  const shown = useListed(entries, state);
  const { lines, threads, setOpen } = useLines({ entries, shown }, requests.dividers, state);
  const entry = requests.entries.find((one) => entryKey(one) === selected);
  const counts = `${shown.length} of ${requests.entries.length}`;
  const select = useShownDetails(entry !== undefined, () => tell(""));
  const pause = (): void => setPaused(isPaused ? undefined : requests.entries);
  const clear = (): void => void act("List cleared.", "/requests", { method: "DELETE" });
  return (
    <>
      <PageHead title="Requests" note={<WatchNote paused={isPaused} counts={counts} />}>
        <UnderWay requests={requests} onShow={change} />
        <Button text="Pause" aria-pressed={isPaused} onClick={pause} />
        <ListActions ofAll={state.all !== ""} tell={tell} onClear={clear} />
      </PageHead>
      <RequestFilters state={state} onChange={change} />
      <FailureToast failure={refusal} />
      <Toast text={told} />
      <SplitPane
        name="details"
        first={
          shown.length === 0 ? (
            <NothingListed entries={entries} />
          ) : (
            <RequestGrid
              lines={lines}
              selected={selected}
              hasSessions={state.all !== ""}
              sort={state.sort}
              onChange={change}
              onSelect={select}
              onOpen={setOpen}
              onKey={(event) => showDetails(event, entry, state.tab, (tab) => change({ tab }))}
            />
          )
        }
        second={
          entry && (
            <RequestDetails
              entry={entry}
              entries={entries}
              tell={tell}
              attempt={threads.attemptOf(entry)}
              onClose={() => select()}
            />
          )
        }
      />
    </>
  );
}

/**
 * Opens details under a new entry of the history, so that Back closes them. Moving on in the list replaces that entry,
 * and closing goes back.
 */
function showDetailsOf(key: string | undefined, hash: string): void {
  const isOpened = history.state === openedHere;
  if (key === undefined && isOpened) return history.back();
  const isFirst = key !== undefined && !isOpened && readRoute(location.hash).name === undefined;
  if (isFirst) history.pushState(openedHere, "", hash);
  else history.replaceState(history.state, "", hash);
  dispatchEvent(new Event("hashchange"));
}

/** Marks an entry of the history that opened details. */
const openedHere = "details";

/**
 * Makes a function that shows the details of a request, or closes them. While details are open, Escape closes them,
 * unless the focus is in a field or a dialog. `onChange` is called first.
 */
function useShownDetails(isOpen: boolean, onChange: () => void): (key?: string) => void {
  const { state } = useRoute();
  const show = (key?: string): void => {
    onChange();
    showDetailsOf(key, hashOf("requests", key, state));
  };
  const latest = useRef(show);
  latest.current = show;
  useEffect(() => {
    if (!isOpen) return undefined;
    const press = (event: KeyboardEvent): void => {
      const isElsewhere =
        event.target instanceof Element &&
        event.target.closest("input, textarea, select, dialog, .details") !== null;
      if (event.key === "Escape" && !isElsewhere) latest.current();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [isOpen]);
  return show;
}

interface UnderWayProps {
  readonly requests: WatchedRequests;
  readonly onShow: (change: Partial<RequestListState>) => void;
}

/** Says how many requests are under way, in other sessions too, and shows them. */
function UnderWay({ requests, onShow }: UnderWayProps): VNode | null {
  const { entries, elsewhere } = requests;
  const here = entries.filter(({ ended }) => ended === "pending").length;
  if (here + elsewhere === 0) return null;
  const others = elsewhere === 0 ? "" : `, ${elsewhere} in other sessions`;
  const all = elsewhere === 0 ? {} : { all: "1" };
  return (
    <Button
      text={`${here + elsewhere} under way${others}`}
      onClick={() => onShow({ ended: "pending", ...all })}
    />
  );
}

/** Keys in the list other than moving: Enter focuses the details, left and right switch their tabs. */
function showDetails(
  event: KeyboardEvent,
  entry: JournalSummary | undefined,
  tab: string,
  choose: (tab: string) => void,
): void {
  if (event.key === "Enter") document.getElementById("request-heading")?.focus();
  const next = entry && tabAfter(entry, tab, event);
  if (next !== undefined) choose(next);
}

/** The listed requests. The list is only computed again when the filters change, not for a selection or a tab. */
function useListed(
  entries: WatchedRequests["entries"],
  { find, kind, changed, ended, own, session, all, sort }: RequestListState,
): WatchedRequests["entries"] {
  const found = useSearch(find, all !== "", entries);
  return useMemo(
    () => listRequests(entries, { find, kind, changed, ended, own, session, sort }, found),
    [entries, find, kind, changed, ended, own, session, sort, found],
  );
}

/** The values from which a list is made. */
interface ListedRequests {
  readonly entries: WatchedRequests["entries"];
  /** The requests that the filters let through. */
  readonly shown: WatchedRequests["entries"];
}

/** The lines of the list, and the conversations in it. */
interface Listing {
  readonly lines: readonly GridLine[];
  readonly threads: Threads;
  /** Opens a conversation, or folds it. */
  readonly setOpen: (thread: Thread, isOpen: boolean) => void;
}

/** The lines of the list. A sorted list has no dividers, since these belong between requests in order of arrival. */
function useLines(
  { entries, shown }: ListedRequests,
  dividers: WatchedRequests["dividers"],
  { sort, flat }: Pick<RequestListState, "sort" | "flat">,
): Listing {
  const { setup } = useConsole();
  const [threads] = useState(() => new Threads());
  const [open, keep] = useKept<ReadonlySet<string>>("open conversations", noThreads);
  useMemo(() => threads.take(entries), [entries]);
  const lines = useMemo(() => {
    const all = withDividers(shown, sort === "" ? dividers : [], setup.session);
    return flat === "" ? withThreads(all, threads, open) : all;
  }, [shown, dividers, sort, flat, open]);
  const setOpen = (thread: Thread, isOpen: boolean): void => {
    const key = threadKey(thread);
    const others = [...open].filter((one) => one !== key);
    keep(new Set(isOpen ? [...others, key] : others));
  };
  return { lines, threads, setOpen };
}

const noThreads: ReadonlySet<string> = new Set();

function NothingListed({ entries }: Pick<WatchedRequests, "entries">): VNode {
  if (entries.every(isOwn)) return <FirstSteps />;
  return <p class="empty">No request matches the filter.</p>;
}

interface WatchNoteProps {
  readonly paused: boolean;
  readonly counts: string;
}

/** How many requests are listed, and whether the list is paused. */
function WatchNote({ paused, counts }: WatchNoteProps): VNode {
  return (
    <>
      {paused && "paused · "}
      {counts}
    </>
  );
}

interface ListActionsProps extends RecordJournalProps {
  readonly onClear: () => void;
}

/** Buttons for all requests together. */
function ListActions({ onClear, ...of }: ListActionsProps): VNode {
  return (
    <>
      <SaveHar ofAll={of.ofAll} />
      <RecordJournal {...of} />
      <ConfirmButton label="Clear" about="all requests" onConfirm={onClear} />
    </>
  );
}

interface RecordJournalProps {
  readonly ofAll: boolean;
  /** Shows a message to the user. */
  readonly tell: (words: string) => void;
}

/**
 * A button that writes the journal, or the journals of all sessions, as cassettes into the fixtures folder, if there is
 * one.
 */
function RecordJournal({ ofAll, tell }: RecordJournalProps): VNode | null {
  const { client, announce, setup, report } = useConsole();
  const { folder } = setup;
  if (folder === null) return null;
  const record = async (): Promise<void> => {
    const path = `/fixtures/cassettes${ofAll ? "?sessions=all" : ""}`;
    const answer = await client.control(path, { method: "POST" });
    if (!answer.ok) return report(answer.error);
    const words = `Recorded into ${folder}/cassettes.`;
    announce(words);
    tell(words);
  };
  const title = `Write the answers into ${folder}/cassettes. The fixtures are then loaded again; requests, rows, sessions and snapshots stay.`;
  return <Button text="Record" class="quiet" title={title} onClick={() => void record()} />;
}

/** A button that saves the journal, or the journals of all sessions, as an HTTP archive. */
function SaveHar({ ofAll }: { readonly ofAll: boolean }): VNode {
  const { client, announce, report } = useConsole();
  const save = async (): Promise<void> => {
    const answer = await client.control(`/requests?format=har${ofAll ? "&sessions=all" : ""}`);
    if (!answer.ok) return report(answer.error);
    download("backlot.har", JSON.stringify(answer.value));
    announce("Saved as backlot.har.");
  };
  return (
    <Button text="HAR" class="quiet" title="Save as an HTTP archive" onClick={() => void save()} />
  );
}

/** Shows how to send a request, while there are none. */
function FirstSteps(): VNode {
  const { client, setup } = useConsole();
  const { basePaths, keys } = setup;
  const root = location.origin + client.base;
  const lines: readonly (readonly [label: string, text: string])[] = [
    ["Base URL of chat", root + basePaths.chat],
    ["Its key", keys.chat ?? "none is needed"],
    ...firstRequests(setup).map((asked): readonly [label: string, text: string] => [
      `${asked.method} ${asked.path}`,
      curlOf(asked, { root, key: keys[asked.interface] }),
    ]),
  ];
  return (
    <section class="panel" aria-labelledby="first-steps">
      <h2 id="first-steps">How to ask this server</h2>
      <p class="muted">
        No requests yet. They appear here as they arrive. Point your app to the base URL, or copy a
        line into a terminal.
      </p>
      {lines.map(([label, text]) => (
        <div key={label}>
          <h3>{label}</h3>
          <div class="row">
            <code class="block grow" tabIndex={0} role="region" aria-label={label}>
              {text}
            </code>
            <CopyButton label="Copy" text={() => text} />
          </div>
        </div>
      ))}
    </section>
  );
}
