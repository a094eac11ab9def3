import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Script } from "../../../core/chat/scripts/script.ts";
import type { JournalEntry, JournalSummary } from "../../../core/emulator/journal/entry.ts";
import { asObject } from "../../../core/schema/json.ts";
import { placeOf } from "../chats/address.ts";
import { baseOf, consolePath, type Failure, unansweredFailure } from "../api/client.ts";
import { useConsole, useActions } from "../parts/use-console.ts";
import { CopyButton, Button } from "../parts/controls.tsx";
import { FailureNotice } from "../parts/display.tsx";
import { download } from "../parts/download.ts";
import { hashOf, useUrlState } from "../parts/route.ts";
import { ScriptForm } from "../scripts/scripts-view.tsx";
import { Comparison } from "./comparison.tsx";
import { useDetails } from "./details.ts";
import { curlOf, type CurlSetting, fetchOf, repeatedRequest, testOf } from "./curl.ts";
import { EndingBadge, TakenTime } from "./ending-badge.tsx";
import { ExchangeTabs } from "./exchange-tabs.tsx";
import { failureTest } from "./failure-test.ts";
import { didFail, faultLike, inWords } from "./fault-like.ts";
import { type ScriptDraft, scriptOf } from "./script-of.ts";
import { askedChat, entryKey, keyIn } from "./summary.ts";
import { StepPlace } from "./step-place.tsx";
import type { Attempt } from "./threads.ts";
import { askedTable, changedName, sameRows } from "./table-state.ts";

interface RequestDetailsProps {
  readonly entry: JournalSummary;
  /** All known requests. */
  readonly entries: readonly JournalSummary[];
  /** The request's place in its conversation, if it has one. */
  readonly attempt: Attempt | undefined;
  /** Shows a message to the user. */
  readonly tell: (words: string) => void;
  readonly onClose: () => void;
}

/** The details of a request, and buttons for what can be done with it. */
export function RequestDetails(props: RequestDetailsProps): VNode {
  const { entry, entries, attempt, tell, onClose } = props;
  const { entry: whole, failure } = useDetails(entry);
  const { other, compare } = useComparison(entries);
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
        <Button text="×" class="quiet" aria-label="Close details" onClick={close} />
      </div>
      {attempt !== undefined && <StepPlace attempt={attempt} />}
      <FailureNotice failure={failure} />
      {whole !== undefined && (
        <>
          <RequestActions
            key={entryKey(entry)}
            entry={whole}
            tell={tell}
            onCompare={() => {
              compare(entryKey(entry));
              tell("Choose another request to compare this one with.");
            }}
          />
          {other === undefined || entryKey(other) === entryKey(whole) ? (
            <ExchangeTabs entry={whole} before={attempt?.step.before} />
          ) : (
            <Comparison one={other} other={whole} onEnd={() => compare("")} />
          )}
        </>
      )}
      {whole === undefined && failure === undefined && (
        <p class="muted" aria-busy="true">
          Reading what was answered.
        </p>
      )}
    </section>
  );
}

/** The request that others are compared with, which the address names. */
function useComparison(entries: readonly JournalSummary[]) {
  const { setup } = useConsole();
  const [state, change] = useUrlState({ with: "" });
  const key = state.with === "" ? undefined : keyIn(setup.session, state.with);
  const summary = key === undefined ? undefined : entries.find((one) => entryKey(one) === key);
  const { entry: other } = useDetails(summary);
  return { other, compare: (name: string) => change({ with: name }) };
}

interface RequestActionsProps extends Pick<RequestDetailsProps, "tell"> {
  readonly entry: JournalEntry;
  readonly onCompare: () => void;
}

/** The number of the last chats that a new script must not answer. */
const mostRivals = 100;

/** Buttons that start from a request. */
function RequestActions({ entry, tell, onCompare }: RequestActionsProps): VNode {
  const { setup, reload, announce, report } = useConsole();
  const { script, setScript, draft } = useScriptDraft(entry);
  const { refusal, act } = useActions(reload);
  const root = location.origin + baseOf(consolePath(entry.session ?? undefined));
  const setting = { root, key: setup.keys[entry.interface] };
  const sendAgain = (): void => {
    tell("Sent again: it is in the list.");
    announce("Sent again.");
    repeat(entry, setting, (failure) => {
      tell("");
      report(failure);
    });
  };
  const fail = async (): Promise<void> => {
    const rule = faultLike(entry);
    const words = `The next ${entry.method} ${entry.path} ${inWords(rule)}.`;
    const asked = { method: "POST", body: rule } as const;
    if (await act(words, "/faults", asked)) tell(words);
  };
  return (
    <>
      <div class="row">
        <Button text="Send again" onClick={sendAgain} />
        <Button text="Compare" onClick={onCompare} />
        {entry.session === setup.session ? (
          <>
            <Button
              text={didFail(entry) ? "Fail so again" : "Fail next time"}
              onClick={() => void fail()}
            />
            {askedChat(entry) !== undefined && (
              <Button text="Make a script" onClick={() => void draft()} />
            )}
            <Places entry={entry} />
          </>
        ) : (
          <a href={consolePath(entry.session ?? undefined) + location.hash}>Go on in its session</a>
        )}
        <div class="row end">
          <span class="muted">Copy as</span>
          <CopyButton label="curl" text={() => curlOf(entry, setting)} />
          <CopyButton label="fetch" text={() => fetchOf(entry, setting)} />
          <CopyButton label="test" text={() => testOf(entry, setting)} />
          {didFail(entry) && <SaveFailure entry={entry} />}
        </div>
      </div>
      <FailureNotice failure={refusal} />
      {script !== undefined && (
        <ScriptForm
          script={JSON.stringify(script, undefined, 2)}
          onDone={(words) => {
            setScript(undefined);
            tell(words);
          }}
        />
      )}
    </>
  );
}

/**
 * The draft of a script for a chat. The draft is there once the latest chats have been read, from which the script
 * must tell this one apart.
 */
function useScriptDraft(entry: JournalEntry) {
  const { client, report } = useConsole();
  const [script, setScript] = useState<ScriptDraft>();
  const draft = async (): Promise<void> => {
    const path = `/requests?interface=chat&last=${mostRivals}`;
    const others = await client.control<{ readonly requests: readonly JournalEntry[] }>(path);
    if (others.ok) setScript(scriptOf(entry, others.value.requests));
    else report(others.error);
  };
  return { script, setScript, draft };
}

/** Saves a failure as a file with a test that runs as it is. */
function SaveFailure({ entry }: { readonly entry: JournalEntry }): VNode {
  const { client, setup, announce, report } = useConsole();
  const save = async (): Promise<void> => {
    const found = await client.control<{ readonly chats: readonly Script[] }>("/chats");
    if (!found.ok) return report(found.error);
    const script = found.value.chats.find(({ name }) => name === entry.script);
    const file = `failure-${entry.id}.test.ts`;
    download(file, failureTest(entry, { script, profiles: setup.profiles }));
    announce(`Saved as ${file}.`);
  };
  return (
    <Button
      text="Save failure"
      class="quiet"
      title="Save a test for backlot/vitest that fails in the same way"
      onClick={() => void save()}
    />
  );
}

/** Sends a request once more. The journal shows the outcome. If no head arrives, there may be no server. */
function repeat(
  entry: JournalEntry,
  setting: CurlSetting,
  onFailure: (failure: Failure) => void,
): void {
  const { url, ...init } = repeatedRequest(entry, setting);
  void fetch(url, { ...init, body: init.body ?? null }).then(
    (response) => response.text().catch(() => undefined),
    (error: unknown) => onFailure(unansweredFailure(error)),
  );
}

/** Links to the objects that a request is about. */
function Places({ entry }: { readonly entry: JournalEntry }): VNode | null {
  const { setup } = useConsole();
  if (askedChat(entry) !== undefined) {
    const place = placeOf(asObject(entry.body) ?? {}, entryKey(entry));
    return <a href={hashOf("chats", undefined, place)}>Open in Chats</a>;
  }
  const asked = askedTable(entry, setup.tables);
  if (asked === undefined) return null;
  const { table, row } = asked;
  return (
    <>
      <a href={hashOf("tables", table.name, sameRows(entry, asked, setup.operators))}>Rows</a>
      <a href={hashOf("requests", undefined, { changed: changedName(asked) })}>
        Who changed {row === undefined ? table.name : "it"}
      </a>
    </>
  );
}
