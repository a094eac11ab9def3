import type { JournalEntry } from "../../../core/emulator/journal/entry.ts";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { baseOf, consolePath } from "../api/place.ts";
import { useConsole } from "../parts/console-context.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { hashOf } from "../parts/route.ts";
import { useActions } from "../parts/use-actions.ts";
import { ScriptForm } from "../scripts/script-form.tsx";
import { didFail, faultLike, inWords } from "./fault-like.ts";
import { curlOf, type CurlSetting, fetchOf, repeated, testOf } from "./curl.ts";
import { askedTable, sameRows } from "./table-state.ts";
import { askedChat } from "./summary.ts";
import { scriptOf } from "./script-of.ts";

interface RequestActionsProps {
  readonly entry: JournalEntry;
  /** All requests that are known. */
  readonly entries: readonly JournalEntry[];
  /** Says what was done. */
  readonly tell: (words: string) => void;
}

/** What one can do from a request onwards. */
export function RequestActions({ entry, entries, tell }: RequestActionsProps): VNode {
  const { setup, reload, announce } = useConsole();
  const [script, setScript] = useState<string>();
  const { refusal, act } = useActions(reload);
  const root = location.origin + baseOf(consolePath(entry.session ?? undefined));
  const setting = { root, key: setup.keys[entry.interface] };
  const sendAgain = (): void => {
    const { url, ...init } = repeated(entry, setting);
    tell("Sent again: it is in the list.");
    announce("Sent again.");
    // What comes of it is in the journal.
    void fetch(url, { ...init, body: init.body ?? null })
      .then((response) => response.text())
      .catch(() => undefined);
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
        <button type="button" onClick={sendAgain}>
          Send again
        </button>
        {entry.session === setup.session ? (
          <>
            <button type="button" onClick={() => void fail()}>
              {didFail(entry) ? "Fail so again" : "Fail next time"}
            </button>
            {askedChat(entry) !== undefined && (
              <button type="button" onClick={() => setScript(scriptText(entry, entries))}>
                Make a script
              </button>
            )}
            <Places entry={entry} />
          </>
        ) : (
          <a href={consolePath(entry.session ?? undefined) + location.hash}>Go on in its session</a>
        )}
        <CopyAs entry={entry} setting={setting} />
      </div>
      <FailureNotice failure={refusal} />
      {script !== undefined && (
        <ScriptForm
          script={script}
          onDone={(words) => {
            setScript(undefined);
            tell(words);
          }}
        />
      )}
    </>
  );
}

interface CopyAsProps {
  readonly entry: JournalEntry;
  readonly setting: CurlSetting;
}

function CopyAs({ entry, setting }: CopyAsProps): VNode {
  return (
    <div class="row end">
      <span class="muted">Copy as</span>
      <CopyButton label="curl" text={() => curlOf(entry, setting)} />
      <CopyButton label="fetch" text={() => fetchOf(entry, setting)} />
      <CopyButton label="test" text={() => testOf(entry, setting)} />
    </div>
  );
}

function scriptText(entry: JournalEntry, entries: readonly JournalEntry[]): string {
  return JSON.stringify(scriptOf(entry, entries), undefined, 2);
}

/** Links to what a request is about. */
function Places({ entry }: { readonly entry: JournalEntry }): VNode | null {
  const { setup } = useConsole();
  if (askedChat(entry) !== undefined) {
    const body = JSON.stringify(entry.body);
    return <a href={hashOf("chats", undefined, { body })}>Open in Chats</a>;
  }
  const asked = askedTable(entry, setup.tables);
  if (asked === undefined) return null;
  const { table, row } = asked;
  return (
    <>
      <a href={hashOf("tables", table.name, sameRows(entry, asked))}>Rows</a>
      <a href={hashOf("requests", undefined, { find: entry.path, kind: "writes" })}>
        Who changed {row === undefined ? table.name : "it"}
      </a>
    </>
  );
}
