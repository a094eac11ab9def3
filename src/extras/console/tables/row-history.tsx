import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { JournalEntry } from "../../../core/emulator/journal/entry.ts";
import type { TableEntry } from "../api/client.ts";
import { Button } from "../parts/controls.tsx";
import { FailureNotice, Modal, SmallTable } from "../parts/display.tsx";
import { localTime } from "../parts/local-time.ts";
import { hashOf } from "../parts/route.ts";
import { useConsole, useLoad } from "../parts/use-console.ts";
import { didChange } from "../requests/filter.ts";
import { changedColumns, entryKey } from "../requests/summary.ts";
import { keyPath, type TableRow } from "./row.ts";

interface RowHistoryProps {
  readonly table: TableEntry;
  /** The row whose history is shown. Undefined while not exactly one row is picked. */
  readonly row: TableRow | undefined;
}

/** A button that shows what changed a row, as far as the journal goes back. */
export function RowHistory({ table, row }: RowHistoryProps): VNode {
  const [isOpen, setOpen] = useState(false);
  const key = row && keyPath(table, row);
  return (
    <>
      <Button
        text="History"
        aria-haspopup="dialog"
        disabled={key === undefined}
        onClick={() => setOpen(true)}
      />
      {isOpen && key !== undefined && (
        <Modal label={`History of row ${decodeURIComponent(key)}`} onClose={() => setOpen(false)}>
          <h2>
            History of row {decodeURIComponent(key)} of {table.name}
          </h2>
          <Changes changed={`${encodeURIComponent(table.name)}/${key}`} />
          <div class="row dialog-end">
            <Button text="Close" class="end" onClick={() => setOpen(false)} />
          </div>
        </Modal>
      )}
    </>
  );
}

/** The requests that changed a row, the latest first, with what each changed. */
function Changes({ changed }: { readonly changed: string }): VNode {
  const { client } = useConsole();
  const { value, failure, isLoading } = useLoad(
    () =>
      client.control<{ readonly requests: readonly JournalEntry[] }>("/requests?interface=tables"),
    changed,
  );
  const entries = (value?.requests ?? []).filter((entry) => didChange(entry, changed)).toReversed();
  if (failure !== undefined) return <FailureNotice failure={failure} />;
  if (entries.length === 0) {
    return (
      <p class="muted" aria-busy={isLoading}>
        {isLoading ? "Reading the journal…" : "The journal has no request that changed this row."}
      </p>
    );
  }
  return (
    <SmallTable
      label="Changes of the row"
      heads={["when", "request", "column", "before", "after"]}
      rows={entries.flatMap(rowsOf)}
    />
  );
}

/** A line for each column that a request changed. The first one says which request it was. */
function rowsOf(entry: JournalEntry): readonly (readonly (VNode | string)[])[] {
  const columns = entry.change === null ? [] : changedColumns(entry.change);
  const link = (
    <a href={hashOf("requests", entryKey(entry), { own: "1" })}>
      {entry.method} {entry.id}
    </a>
  );
  const lines = columns.length === 0 ? [["nothing", "", ""] as const] : columns;
  return lines.map(([column, was, is], index) => [
    index === 0 ? localTime(entry.at) : "",
    index === 0 ? link : "",
    <code>{column}</code>,
    was || "nothing",
    is || "nothing",
  ]);
}
