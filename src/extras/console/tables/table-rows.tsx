import type { VNode } from "preact";
import { useRef, useState } from "preact/hooks";
import { counted } from "../../../core/errors/show.ts";
import type { Failure } from "../api/failure.ts";
import type { TableEntry } from "../api/setup.ts";
import { ConfirmButton } from "../parts/confirm-button.tsx";
import { useConsole } from "../parts/console-context.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { useUrlState } from "../parts/route.ts";
import { useVisibleRows } from "../parts/visible-rows.ts";
import { AddRow } from "./add-row.tsx";
import { copyFormats } from "./copy-rows.ts";
import { Grid } from "./grid.tsx";
import { firstQuery, queryPath, type TableQuery } from "./query.ts";
import { keyPath, type TableRow } from "./row.ts";
import { type RowChanges, useChanges } from "./use-changes.ts";
import { type PickedRows, rowAt, rowHeight } from "./use-grid.ts";
import { foundRows, type KnownRows, useRows } from "./use-rows.ts";

/** The rows of a table, which other clients change as well. Filters, sorts and changes them by REST requests. */
export function TableRows({ table }: { readonly table: TableEntry }): VNode {
  const { setup } = useConsole();
  const [query, setQuery] = useUrlState(firstQuery);
  const [picked, setPicked] = useState<PickedRows>(new Map());
  const [refusal, setRefusal] = useState<Failure>();
  const region = useRef<HTMLDivElement>(null);
  const visible = useVisibleRows(region, rowHeight);
  const rows = useRows(table, query, visible);
  const changes = useChanges(table, rows.reload);
  const chosen = latestOf(picked, table, rows);
  const undo = async (): Promise<void> => setRefusal(await changes.undo());
  const remove = async (): Promise<void> => {
    const writes = chosen.map((row) => ({ method: "DELETE", row }) as const);
    setRefusal(await changes.make(counted(chosen.length, "deleted row"), writes));
    setPicked(new Map());
    // The button is gone, and maybe the row that was focused.
    region.current?.querySelector<HTMLElement>(".cell")?.focus();
  };
  return (
    <section class="stack" aria-label={`Rows of ${table.name}`}>
      <QueryLine table={table} query={query} chosen={chosen} />
      <div class="row" role="group" aria-label="What to do with rows">
        <span role="status">{countText(rows, chosen.length)}</span>
        <RowButtons
          table={table}
          chosen={chosen}
          changes={changes}
          onUndo={() => void undo()}
          onRemove={() => void remove()}
          onReload={rows.reload}
        />
      </div>
      <FailureNotice failure={rows.failure ?? refusal} />
      <Grid
        table={table}
        tables={setup.tables}
        region={region}
        visible={visible}
        rows={rows}
        query={query}
        onQuery={setQuery}
        picked={picked}
        onPick={setPicked}
        onEdit={async (index, column, value) => {
          const { row = {}, key = "" } = rowAt({ table, rows }, index);
          const write = { method: "PATCH", row, body: { [column]: value } } as const;
          return changes.make(`${column} of row ${decodeURIComponent(key)}`, [write]);
        }}
        onUndo={() => void undo()}
      />
      {table.primaryKey.length === 0 && (
        <p class="muted">
          This table has no primary key, so its rows cannot be changed one by one.
        </p>
      )}
    </section>
  );
}

interface QueryLineProps {
  readonly table: TableEntry;
  readonly query: TableQuery;
  readonly chosen: readonly TableRow[];
}

/** The request that does the same, and buttons that copy the picked rows, or else all that it finds. */
function QueryLine({ table, query, chosen }: QueryLineProps): VNode {
  const { client, setup } = useConsole();
  const target = client.tableUrl(setup, queryPath(table, query));
  const read = async (): Promise<readonly TableRow[]> => {
    const answer = await foundRows({ client, setup, table, query });
    if (!answer.ok) throw new Error(answer.error.message);
    return answer.value;
  };
  return (
    <div class="row">
      <code class="block grow" tabIndex={0} role="region" aria-label="The request">
        <span class="muted">GET</span> {target}
      </code>
      <CopyButton label="Copy URL" text={() => location.origin + target} />
      <span class="muted">Copy {chosen.length === 0 ? "all" : chosen.length} as</span>
      {Object.entries(copyFormats).map(([name, format]) => (
        <CopyButton
          key={name}
          label={name}
          text={async () => format(table, chosen.length === 0 ? await read() : chosen)}
        />
      ))}
    </div>
  );
}

/** The picked rows as they are now, as far as that is known. */
function latestOf(picked: PickedRows, table: TableEntry, { rows }: KnownRows): readonly TableRow[] {
  if (picked.size === 0) return [];
  const known = new Map(rows.map((row) => [keyPath(table, row), row]));
  return [...picked].map(([key, row]) => known.get(key) ?? row);
}

function countText({ count, isOpen, failure }: KnownRows, chosen: number): string {
  if (failure !== undefined) return "";
  const all = isOpen ? `${count - 1} rows and more` : counted(count, "row");
  return chosen === 0 ? all : `${chosen} of ${all} picked`;
}

interface RowButtonsProps {
  readonly table: TableEntry;
  readonly chosen: readonly TableRow[];
  readonly changes: RowChanges;
  readonly onUndo: () => void;
  readonly onRemove: () => void;
  readonly onReload: () => void;
}

/** Buttons that add rows, and that change the picked ones. */
function RowButtons(props: RowButtonsProps): VNode {
  const { table, chosen, changes, onUndo, onRemove, onReload } = props;
  /** The row that a new one is to be like; null: none. */
  const [adding, setAdding] = useState<TableRow | null>();
  return (
    <>
      <button type="button" onClick={() => setAdding(null)}>
        Add row
      </button>
      {chosen.length === 1 && (
        <button type="button" onClick={() => setAdding(chosen[0])}>
          Duplicate
        </button>
      )}
      {chosen.length > 0 && (
        <ConfirmButton label="Delete" about={counted(chosen.length, "row")} onConfirm={onRemove} />
      )}
      {changes.last !== undefined && (
        <button type="button" class="quiet" title="Ctrl Z in the table" onClick={onUndo}>
          Undo: {changes.last}
        </button>
      )}
      <button type="button" class="quiet" onClick={onReload}>
        Reload
      </button>
      {adding !== undefined && (
        <AddRow
          table={table}
          like={adding ?? undefined}
          onAdd={(row) => changes.make("added row", [{ method: "POST", row }])}
          onClose={() => setAdding(undefined)}
        />
      )}
    </>
  );
}
