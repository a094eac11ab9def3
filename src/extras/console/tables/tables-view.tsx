import type { VNode } from "preact";
import { useRef, useState } from "preact/hooks";
import { counted } from "../../../core/errors/show.ts";
import type { Failure, TableEntry } from "../api/client.ts";
import { ConfirmButton, CopyButton, Button } from "../parts/controls.tsx";
import { useConsole, useActions } from "../parts/use-console.ts";
import { FailureNotice, FailureToast, PageHead } from "../parts/display.tsx";
import { hashOf, useUrlState } from "../parts/route.ts";
import { useVisibleRows } from "../parts/grid.ts";
import { AddRow } from "./cell-editor.tsx";
import { ColumnChooser } from "./column-chooser.tsx";
import { useShownColumns } from "./columns.ts";
import { copyFormats } from "./copy-rows.ts";
import { RowHistory } from "./row-history.tsx";
import { SaveRows, SaveState } from "./save-rows.tsx";
import { Grid, type PickedRows } from "./grid.tsx";
import { firstQuery, queryPath, type TableQuery } from "./query.ts";
import { keyPath, type TableRow } from "./row.ts";
import { type Refusal, type RowChanges, useChanges } from "./use-changes.ts";
import { foundRows, type KnownRows, useRows } from "./use-rows.ts";

/** The view of the tables, and of the rows of one table. */
export function TablesView({ selected }: { readonly selected: string | undefined }): VNode {
  const { setup, reload } = useConsole();
  const { refusal, act } = useActions(reload);
  const { tables } = setup;
  const table = selected === undefined ? tables[0] : tables.find(({ name }) => name === selected);
  const reset = (): void => {
    const asked = { method: "POST", body: { scope: ["tables"] } } as const;
    void act("Tables reset to the fixtures.", "/reset", asked);
  };
  return (
    <>
      <PageHead
        title="Tables"
        note={<span class="on-wide">{`profile ${setup.profiles.tables}`}</span>}
      >
        <SaveState />
        <ConfirmButton label="Reset tables" onConfirm={reset} />
      </PageHead>
      <FailureToast failure={refusal} />
      {tables.length === 0 && (
        <p class="empty">
          The fixtures have no tables. Put the rows of one into a file such as tables/users.json of
          the folder that the server was started with: [{"{"}"id": 1, "name": "Ada"{"}"}]
        </p>
      )}
      <nav class="row tools" aria-label="Tables">
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
      {table !== undefined && <TableRows key={table.name} table={table} />}
      {table === undefined && tables.length > 0 && (
        <p class="empty">There is no table of that name. Choose one above.</p>
      )}
    </>
  );
}

/**
 * The rows of a table, which can be filtered, sorted and changed through REST requests. Other clients may change them,
 * too.
 */
function TableRows({ table }: { readonly table: TableEntry }): VNode {
  const [query, setQuery] = useUrlState(firstQuery);
  const { columns } = useShownColumns(table);
  const [picked, setPicked] = useState<PickedRows>(new Map());
  const [refusal, setRefusal] = useState<Failure>();
  const region = useRef<HTMLDivElement>(null);
  const visible = useVisibleRows(region);
  const rows = useRows(table, query, visible);
  const changes = useChanges(table, rows.reload);
  const chosen = latestOf(picked, table, rows);
  const undo = async (): Promise<void> => setRefusal(await changes.undo());
  const remove = async (): Promise<void> => {
    const writes = chosen.map((row) => ({ method: "DELETE", row }) as const);
    setRefusal(await changes.make(counted(chosen.length, "deleted row"), writes));
    setPicked(new Map());
    // The button has disappeared, and maybe the focused row as well.
    region.current?.querySelector<HTMLElement>(".cell")?.focus();
  };
  return (
    <section class="stack" aria-label={`Rows of ${table.name}`}>
      <QueryLine table={table} query={query} />
      <div class="row tools" role="group" aria-label="What to do with rows">
        <ColumnChooser table={table} />
        <RowButtons
          table={table}
          chosen={chosen}
          changes={changes}
          onUndo={() => void undo()}
          onRemove={() => void remove()}
          onReload={rows.reload}
        />
        <RowsAs table={table} query={query} chosen={chosen} />
        <span class="count" role="status">
          {countText(rows, chosen.length)}
        </span>
      </div>
      <div class="over">
        <FailureNotice failure={rows.failure ?? refusal} />
        <Grid
          table={table}
          columns={columns}
          region={region}
          visible={visible}
          rows={rows}
          query={query}
          onQuery={setQuery}
          picked={picked}
          onPick={setPicked}
          onEdit={editor(table, changes)}
          onUndo={() => void undo()}
        />
      </div>
      <KeylessNote table={table} />
    </section>
  );
}

function KeylessNote({ table }: { readonly table: TableEntry }): VNode | null {
  if (table.primaryKey.length > 0) return null;
  return (
    <p class="muted">This table has no primary key, so its rows cannot be changed one by one.</p>
  );
}

/** Makes the function that writes a value into a row, unless somebody else has changed it since it was `seen`. */
function editor(
  table: TableEntry,
  changes: RowChanges,
): (seen: TableRow, column: string, value: unknown) => Promise<Refusal | undefined> {
  return (seen, column, value) => {
    const key = decodeURIComponent(keyPath(table, seen) ?? "");
    const write = { method: "PATCH", row: seen, seen, body: { [column]: value } } as const;
    return changes.make(`${column} of row ${key}`, [write]);
  };
}

interface QueryLineProps {
  readonly table: TableEntry;
  readonly query: TableQuery;
}

/** The request that gives the shown rows. */
function QueryLine({ table, query }: QueryLineProps): VNode {
  const { client, setup } = useConsole();
  const target = client.tableUrl(setup, queryPath({ table, query }, setup.operators));
  return (
    <div class="row query">
      <code class="block grow" tabIndex={0} role="region" aria-label="The request">
        <span class="muted">GET</span> {target}
      </code>
      <CopyButton label="Copy URL" text={() => location.origin + target} />
    </div>
  );
}

interface RowsAsProps extends QueryLineProps {
  readonly chosen: readonly TableRow[];
}

/** Buttons that copy or save the picked rows, or all matching ones. */
function RowsAs({ table, query, chosen }: RowsAsProps): VNode {
  const { client, setup } = useConsole();
  const read = async (): Promise<readonly TableRow[]> => {
    if (chosen.length > 0) return chosen;
    const answer = await foundRows({ client, setup, table, query });
    if (!answer.ok) throw new Error(answer.error.message);
    return answer.value;
  };
  return (
    <>
      <span class="muted end">Copy {chosen.length === 0 ? "all" : "picked"} as</span>
      {Object.entries(copyFormats).map(([name, format]) => (
        <CopyButton key={name} label={name} text={async () => format(table, await read())} />
      ))}
      <SaveRows table={table} rows={read} />
    </>
  );
}

/** The picked rows, in their latest known form. */
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

/** Buttons that add rows, and that change the picked ones. All buttons are always shown, so that none moves. */
function RowButtons(props: RowButtonsProps): VNode {
  const { table, chosen, changes, onUndo, onRemove, onReload } = props;
  const single = chosen.length === 1 ? chosen[0] : undefined;
  /** The row to copy for a new one; null for an empty one. */
  const [adding, setAdding] = useState<TableRow | null>();
  return (
    <>
      <Button text="Add row" onClick={() => setAdding(null)} />
      {table.primaryKey.length > 0 && (
        <>
          <RowHistory table={table} row={single} />
          <Button
            text="Duplicate"
            disabled={single === undefined}
            onClick={() => setAdding(single ?? null)}
          />
          <ConfirmButton
            label="Delete"
            about={chosen.length === 0 ? "" : counted(chosen.length, "row")}
            isDisabled={chosen.length === 0}
            onConfirm={onRemove}
          />
        </>
      )}
      <Button
        text="Undo"
        class="quiet"
        disabled={changes.last === undefined}
        aria-label={changes.last === undefined ? "Undo" : `Undo: ${changes.last}`}
        title={changes.last === undefined ? "" : `${changes.last} (Ctrl Z in the table)`}
        onClick={onUndo}
      />
      <Button text="Reload" class="quiet" onClick={onReload} />
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
