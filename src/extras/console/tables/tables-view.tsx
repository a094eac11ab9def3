import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { JournalEntry } from "../../../core/emulator/journal/entry.ts";
import { useConsole } from "../parts/console-context.ts";
import { ConfirmButton } from "../parts/confirm-button.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { useActions } from "../parts/use-actions.ts";
import { hashOf } from "../parts/route.ts";
import { TableRows } from "./table-rows.tsx";

interface TablesViewProps {
  readonly selected: string | undefined;
  /** The journal. */
  readonly entries: readonly JournalEntry[];
}

/** The tables, and the rows of one of them. */
export function TablesView({ selected, entries }: TablesViewProps): VNode {
  const { setup, reload } = useConsole();
  const { refusal, act } = useActions(reload);
  const [resets, setResets] = useState(0);
  const { tables } = setup;
  const table = selected === undefined ? tables[0] : tables.find(({ name }) => name === selected);
  const reset = async (): Promise<void> => {
    const asked = { method: "POST", body: { scope: ["tables"] } } as const;
    const isReset = await act("Tables reset to the fixtures.", "/reset", asked);
    if (isReset) setResets(resets + 1);
  };
  return (
    <>
      <PageHead title="Tables" note={`profile ${setup.profiles.rest}`}>
        <ConfirmButton label="Reset tables" onConfirm={() => void reset()} />
      </PageHead>
      <FailureNotice failure={refusal} />
      {tables.length === 0 && (
        <p class="empty">
          The fixtures have no tables. Put the rows of one into a file such as tables/users.json of
          the folder that the server was started with: [{"{"}"id": 1, "name": "Ada"{"}"}]
        </p>
      )}
      <nav class="row" aria-label="Tables">
        {tables.map(({ name, rows }) => (
          <a
            key={name}
            href={hashOf("tables", name)}
            aria-current={name === table?.name ? "page" : undefined}
          >
            {name} <span class="badge">{rows}</span>
          </a>
        ))}
      </nav>
      {table !== undefined && (
        <TableRows key={`${table.name} ${resets}`} table={table} entries={entries} />
      )}
      {table === undefined && tables.length > 0 && (
        <p class="empty">There is no table of that name. Choose one above.</p>
      )}
    </>
  );
}
