import type { VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { counted } from "../../../core/errors/show.ts";
import type { JournalEntry } from "../../../core/emulator/journal/entry.ts";
import { useConsole } from "../parts/console-context.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { Facts } from "../parts/facts.tsx";
import { JsonView } from "../parts/json-view.tsx";
import { hashOf } from "../parts/route.ts";
import { curlOf } from "./curl.ts";
import { showMs } from "./request-list.tsx";
import { Status } from "./status.tsx";

/** The keys that explain an answer. */
const reasons: readonly (keyof JournalEntry)[] = [
  "script",
  "reply",
  "misses",
  "plan",
  "fault",
  "recording",
  "closestRecording",
];

/** All details of a request. */
export function RequestDetails({ entry }: { readonly entry: JournalEntry }): VNode {
  const { client, setup } = useConsole();
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus(), []);
  const curl = (): string =>
    curlOf(entry, { root: location.origin + client.base, key: setup.keys[entry.interface] });
  const close = (): void => {
    location.hash = hashOf("requests");
    document.querySelector<HTMLElement>(`a[href="${hashOf("requests", entry.id)}"]`)?.focus();
  };
  return (
    <section
      class="panel details"
      aria-labelledby="request-heading"
      onKeyDown={(event) => event.key === "Escape" && close()}
    >
      <div class="row">
        <h2 id="request-heading" ref={heading} tabIndex={-1}>
          <Status status={entry.status} /> {entry.method} <span class="code">{entry.path}</span>
        </h2>
        <div class="row end">
          <CopyButton label="Copy as curl" text={curl} />
          <button type="button" class="quiet" aria-label="Close details" onClick={close}>
            ×
          </button>
        </div>
      </div>
      <Why entry={entry} />
      <RequestFacts entry={entry} />
      {entry.query !== "" && (
        <>
          <h3>Query</h3>
          <Facts class="pairs" label="Query" facts={[...new URLSearchParams(entry.query)]} />
        </>
      )}
      <h3>Headers</h3>
      <Facts class="pairs" label="Headers" facts={Object.entries(entry.headers)} />
      <h3>Body</h3>
      {entry.body === null ? (
        <p class="muted">none</p>
      ) : (
        <JsonView label="Body of the request" value={entry.body} />
      )}
    </section>
  );
}

function Why({ entry }: { readonly entry: JournalEntry }): VNode {
  const more = reasons.filter((name) => hasSome(entry[name]));
  return (
    <>
      <h3>Why</h3>
      <p class="said">{entry.answeredBy ?? "Answered by the interface itself."}</p>
      {more.map((name) => (
        <div key={name}>
          <h4>{name}</h4>
          <JsonView label={name} value={entry[name]} />
        </div>
      ))}
    </>
  );
}

function hasSome(value: unknown): boolean {
  return value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0);
}

function RequestFacts({ entry }: { readonly entry: JournalEntry }): VNode {
  const { chunksSent, aborted, retryCount } = entry;
  const facts = [
    ["at", entry.at],
    ["took", showMs(entry.durationMs)],
    ["sent", counted(entry.bytes, "byte")],
    ["chunks", chunksSent > 0 ? String(chunksSent) : undefined],
    ["ended", aborted ? "the client went away" : undefined],
    ["retry", retryCount === null ? undefined : `number ${retryCount}`],
    ["id", entry.id],
  ] as const;
  return <Facts facts={facts} />;
}
