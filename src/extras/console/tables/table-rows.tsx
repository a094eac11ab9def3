import type { VNode } from "preact";
import { useRef, useState } from "preact/hooks";
import { counted } from "../../../core/errors/show.ts";
import type { JournalEntry } from "../../../core/emulator/journal/entry.ts";
import type { Failure } from "../api/failure.ts";
import type { TableEntry } from "../api/setup.ts";
import { ConfirmButton } from "../parts/confirm-button.tsx";
import { useConsole } from "../parts/console-context.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { hashOf, useUrlState } from "../parts/route.ts";
import { useVisibleRows } from "../parts/visible-rows.ts";
import { curlOf } from "../requests/curl.ts";
import { AddRow } from "./add-row.tsx";
import { copyFormats } from "./copy-rows.ts";
import { Grid } from "./grid.tsx";
import type { PickedRows } from "./grid-props.ts";
import { firstQuery, queryPath, rowsWith, type TableQuery } from "./query.ts";
import { keyPath, referencesTo, type TableRow, valueIn } from "./row.ts";
import { rowHeight } from "./use-cell-focus.ts";
import { type KnownRows, foundRows, useRows, useWritesTo } from "./use-rows.ts";
import { useWrites, type Writes } from "./use-writes.ts";

interface TableRowsProps {
  readonly table: TableEntry;
  /** The journal, which tells of writes. */
  readonly entries: readonly JournalEntry[];
}

/** The rows of a table, which other clients change as well. Filters, sorts and changes them by REST requests. */
export function TableRows({ table, entries }: TableRowsProps): VNode {
  const { setup } = useConsole();
  const [query, setQuery] = useUrlState(firstQuery);
  const [version, setVersion] = useState(0);
  const [picked, setPicked] = useState<PickedRows>(new Map());
  const [refusal, setRefusal] = useState<Failure>();
  const region = useRef<HTMLDivElement>(null);
  const visible = useVisibleRows(region, rowHeight);
  const rows = useRows(table, query, visible, version);
  const readAgain = (): void => setVersion((before) => before + 1);
  useWritesTo(table.name, entries, readAgain);
  const writes = useWrites(table, readAgain);
  const chosen = latestOf(picked, table, rows);
  const undo = async (): Promise<void> => setRefusal(await writes.undo());
  const remove = async (): Promise<void> => {
    setRefusal(await writes.remove(chosen));
    setPicked(new Map());
    // The button is gone, and maybe the row that was focused.
    region.current?.querySelector<HTMLElement>(".cell")?.focus();
  };
  return (
    <section class="stack" aria-label={`Rows of ${table.name}`}>
      <QueryLine table={table} query={query} />
      <div class="row" role="group" aria-label="What to do with rows">
        <span role="status">{countText(rows, chosen.length)}</span>
        <RowButtons
          table={table}
          chosen={chosen}
          writes={writes}
          onUndo={() => void undo()}
          onRemove={() => void remove()}
          onReload={readAgain}
        />
        <CopyRows table={table} query={query} chosen={chosen} />
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
        onEdit={writes.change}
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

interface RowButtonsProps {
  readonly table: TableEntry;
  readonly chosen: readonly TableRow[];
  readonly writes: Writes;
  readonly onUndo: () => void;
  readonly onRemove: () => void;
  readonly onReload: () => void;
}

/** Buttons that add rows, and that change the picked ones. */
function RowButtons(props: RowButtonsProps): VNode {
  const { table, chosen, writes, onUndo, onRemove, onReload } = props;
  const { reload } = useConsole();
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
      {writes.last !== undefined && (
        <button type="button" class="quiet" title="Ctrl Z in the table" onClick={onUndo}>
          Undo: {writes.last}
        </button>
      )}
      <Referring table={table} chosen={chosen} />
      <button
        type="button"
        class="quiet"
        onClick={() => {
          onReload();
          reload();
        }}
      >
        Reload
      </button>
      {adding !== undefined && (
        <AddRow
          table={table}
          like={adding ?? undefined}
          onAdd={writes.add}
          onClose={() => setAdding(undefined)}
        />
      )}
    </>
  );
}

/** The picked rows as they are now, as far as that is known. */
function latestOf(picked: PickedRows, table: TableEntry, rows: KnownRows): readonly TableRow[] {
  if (picked.size === 0) return [];
  const known = new Map(rows.rows().map((row) => [keyPath(table, row), row]));
  return [...picked].map(([key, row]) => known.get(key) ?? row);
}

function countText({ count, isOpen, isLoading, failure }: KnownRows, chosen: number): string {
  if (failure !== undefined) return "";
  if (isLoading && count === 0) return "Reading…";
  const all = isOpen ? `${count - 1} rows and more` : counted(count, "row");
  return chosen === 0 ? all : `${chosen} of ${all} picked`;
}

interface QueryLineProps {
  readonly table: TableEntry;
  readonly query: TableQuery;
}

/** The request that does the same. */
function QueryLine({ table, query }: QueryLineProps): VNode {
  const { client, setup } = useConsole();
  const target = client.tableUrl(setup, queryPath(table, query));
  const [path = "", text = ""] = target.split("?");
  const curl = (): string =>
    curlOf(
      { method: "GET", path, query: text, headers: { authorization: "" }, body: null },
      { root: location.origin, key: setup.keys.rest },
    );
  return (
    <div class="row">
      <code class="block grow" tabIndex={0} role="region" aria-label="The request">
        <span class="muted">GET</span> {target}
      </code>
      <CopyButton label="Copy URL" text={() => location.origin + target} />
      <CopyButton label="Copy as curl" text={curl} />
    </div>
  );
}

/** Buttons that copy the picked rows, or else all that the query finds. */
function CopyRows({
  table,
  query,
  chosen,
}: QueryLineProps & { readonly chosen: readonly TableRow[] }): VNode {
  const { client, setup } = useConsole();
  const read = async (): Promise<readonly TableRow[]> => {
    const answer = await foundRows({ client, setup, table, query });
    if (!answer.ok) throw new Error(answer.error.message);
    return answer.value;
  };
  return (
    <>
      <span class="muted">Copy {chosen.length === 0 ? "all" : chosen.length} as</span>
      {Object.entries(copyFormats).map(([name, format]) => (
        <CopyButton
          key={name}
          label={name}
          text={async () => format(table, chosen.length === 0 ? await read() : chosen)}
        />
      ))}
    </>
  );
}

/** Links to the rows that refer to a picked one. */
function Referring({ table, chosen }: Pick<RowButtonsProps, "table" | "chosen">): VNode | null {
  const { setup } = useConsole();
  const [row] = chosen;
  if (row === undefined || chosen.length > 1) return null;
  return (
    <>
      {referencesTo(table.name, setup.tables).map(({ from, by, column }) => (
        <a key={`${from} ${by}`} href={hashOf("tables", from, rowsWith(by, valueIn(row, column)))}>
          its {from} ({by})
        </a>
      ))}
    </>
  );
}
