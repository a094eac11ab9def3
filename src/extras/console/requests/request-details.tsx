import type { JournalEntry } from "../../../core/emulator/journal/entry.ts";
import type { VNode } from "preact";
import { Tabs } from "../parts/tabs.tsx";
import { EndingBadge, TakenTime } from "./ending-badge.tsx";
import { RequestTab, ResponseTab, TimingTab } from "./exchange-tabs.tsx";
import { RequestActions } from "./request-actions.tsx";
import { entryKey } from "./summary.ts";
import { Why } from "./why.tsx";

interface RequestDetailsProps {
  readonly entry: JournalEntry;
  /** All requests that are known. */
  readonly entries: readonly JournalEntry[];
  /** Says what was done. */
  readonly tell: (words: string) => void;
  readonly onClose: () => void;
}

/** The names of the tabs, in their order. */
export const detailTabs: readonly string[] = ["why", "request", "response", "timing"];

/** All that is known of a request, and what one can do with it. */
export function RequestDetails({ entry, entries, tell, onClose }: RequestDetailsProps): VNode {
  const close = (): void => {
    onClose();
    document.querySelector<HTMLElement>(".requests")?.focus();
  };
  return (
    <section
      class="panel details"
      aria-labelledby="request-heading"
      onKeyDown={(event) => event.key === "Escape" && close()}
    >
      <div class="row">
        <h2 id="request-heading" tabIndex={-1} class="grow">
          <EndingBadge entry={entry} /> {entry.method} <span class="code">{entry.path}</span>
        </h2>
        <TakenTime entry={entry} />
        <button type="button" class="quiet" aria-label="Close details" onClick={close}>
          ×
        </button>
      </div>
      <RequestActions key={entryKey(entry)} entry={entry} entries={entries} tell={tell} />
      <ExchangeTabs entry={entry} />
    </section>
  );
}

/** Why a request was answered as it was, what was asked and answered, and when. */
export function ExchangeTabs({ entry }: Pick<RequestDetailsProps, "entry">): VNode {
  return (
    <Tabs
      label="Parts of the request"
      inUrl="tab"
      tabs={[
        ["why", "Why", () => <Why entry={entry} />],
        ["request", "Request", () => <RequestTab entry={entry} />],
        ["response", "Response", () => <ResponseTab entry={entry} />],
        ["timing", "Timing", () => <TimingTab entry={entry} />],
      ]}
    />
  );
}
