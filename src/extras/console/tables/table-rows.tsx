import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";
import type { TableEntry } from "../api/setup.ts";
import { useConsole } from "../parts/console-context.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { useKept } from "../parts/use-kept.ts";
import { curlOf } from "../requests/curl.ts";
import { AddRow } from "./add-row.tsx";
import { Grid } from "./grid.tsx";
import { type FilterDraft, firstQuery, queryPath, type TableQuery, typed } from "./query.ts";
import type { Failure } from "../api/failure.ts";
import { exactRows, isRounded, keyPath, type TableRow } from "./row.ts";
import type { Result } from "../../../core/errors/result.ts";
import { type Loaded, useLoad } from "../parts/use-load.ts";
import { Select } from "../parts/form.tsx";
import { operatorNames, operators } from "../../../core/store/operators.ts";

/** The rows of a table. Filters, sorts, pages and changes them by REST requests. */
export function TableRows({ table }: { readonly table: TableEntry }): VNode {
  const [query, setQuery] = useKept<TableQuery>(`table ${table.name}`, firstQuery);
  const [isAdding, setAdding] = useState(false);
  const { reload: reloadSetup } = useConsole();
  const { value: rows, failure, isLoading, reload } = useRows(table, query);
  const { refusal, add, change, remove } = useWrites(table, reload);
  const ask = (part: Partial<TableQuery>): void => setQuery({ ...query, offset: 0, ...part });
  return (
    <section class="stack" aria-label={`Rows of ${table.name}`}>
      <Conditions table={table} query={query} onChange={ask} />
      <QueryLine table={table} query={query} />
      <FailureNotice failure={failure ?? (isAdding ? undefined : refusal)} />
      <Grid
        table={table}
        rows={rows ?? []}
        isLoading={isLoading}
        emptyText={failure === undefined ? "No rows." : ""}
        sort={query.sort}
        onSort={(sort) => ask({ sort })}
        onEdit={change}
        onDelete={(row) => void remove(row)}
      />
      <Pager
        query={query}
        shown={failure === undefined ? rows?.length : undefined}
        total={typed(query).length === 0 ? table.rows : undefined}
        onChange={setQuery}
      >
        <button type="button" onClick={() => setAdding(true)}>
          Add row
        </button>
        <button
          type="button"
          class="quiet"
          onClick={() => {
            reload();
            reloadSetup();
          }}
        >
          Reload
        </button>
      </Pager>
      {table.primaryKey.length === 0 && (
        <p class="muted">
          This table has no primary key, so its rows cannot be changed one by one.
        </p>
      )}
      {isAdding && (
        <AddRow table={table} onAdd={add} failure={refusal} onClose={() => setAdding(false)} />
      )}
    </section>
  );
}

function QueryLine({
  table,
  query,
}: {
  readonly table: TableEntry;
  readonly query: TableQuery;
}): VNode {
  const { client, setup } = useConsole();
  const target = client.tableUrl(setup, queryPath(table.name, query));
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

const told = { POST: "Row added.", PATCH: "Cell changed.", DELETE: "Row deleted." } as const;

/**
 * Changes of a table's rows, each a REST request that gives whether it was accepted, and why the last one was refused.
 * `onDone` is called after each.
 */
function useWrites(table: TableEntry, onDone: () => void) {
  const { client, setup, announce, reload } = useConsole();
  const [refusal, setRefusal] = useState<Failure>();
  const write = async (
    method: keyof typeof told,
    row?: TableRow,
    body?: TableRow,
  ): Promise<boolean> => {
    const key = row === undefined ? "" : `/${keyPath(table, row) ?? ""}`;
    const asked = body === undefined ? { method } : { method, body };
    const answer = await client.rows(setup, encodeURIComponent(table.name) + key, asked);
    setRefusal(answer.ok ? undefined : answer.error);
    if (!answer.ok) return false;
    announce(told[method]);
    onDone();
    // The count of rows is part of the set-up.
    if (method !== "PATCH") reload();
    return true;
  };
  return {
    refusal,
    add: (row: TableRow) => write("POST", undefined, row),
    change: (row: TableRow, column: string, value: unknown) =>
      write("PATCH", row, { [column]: value }),
    remove: (row: TableRow) => write("DELETE", row),
  };
}

/** The most rows of a table that are all read to get exact numbers. */
const mostRows = 20_000;

/** The rows that a query asks for, by the tables interface. */
function useRows(table: TableEntry, query: TableQuery): Loaded<readonly TableRow[]> {
  const { client, setup } = useConsole();
  const path = queryPath(table.name, query);
  const load = async (): Promise<Result<readonly TableRow[], Failure>> => {
    const answer = await client.rows<readonly TableRow[]>(setup, path);
    if (!answer.ok) return answer;
    const isExact = !answer.value.some((row) => Object.values(row).some(isRounded));
    if (isExact || table.rows > mostRows) return answer;
    const stored = await client.control<readonly TableRow[]>(
      `/tables/${encodeURIComponent(table.name)}`,
    );
    return stored.ok ? { ok: true, value: exactRows(answer.value, stored.value) } : answer;
  };
  return useLoad(load, path);
}

interface PagerProps {
  readonly query: TableQuery;
  /** How many rows are shown; undefined if unknown. */
  readonly shown: number | undefined;
  /** The number of all matching rows; undefined if not counted. */
  readonly total: number | undefined;
  readonly onChange: (query: TableQuery) => void;
  readonly children: ComponentChildren;
}

const sizes = ["10", "25", "100", "500"].map((size) => [size, `${size} rows`] as const);

/** Buttons to page through the rows. */
function Pager({ query, shown, total, onChange, children }: PagerProps): VNode {
  const { limit, offset } = query;
  const end = offset + (shown ?? 0);
  const hasMore = shown !== undefined && (total === undefined ? shown === limit : end < total);
  const range = shown === undefined ? "" : shown === 0 ? "no rows" : `${offset + 1}–${end}`;
  // The count may be older than the rows.
  const count = total === undefined ? 0 : Math.max(total, end);
  return (
    <div class="row">
      <button
        type="button"
        disabled={offset === 0}
        onClick={() => onChange({ ...query, offset: Math.max(0, offset - limit) })}
      >
        ‹ Previous
      </button>
      <button
        type="button"
        disabled={!hasMore}
        onClick={() => onChange({ ...query, offset: offset + limit })}
      >
        Next ›
      </button>
      <span role="status">
        {range}
        {shown !== undefined && count > 0 && ` of ${count}`}
      </span>
      <Select
        label="Rows on a page"
        bare
        value={String(limit)}
        options={sizes}
        onChange={(size) => onChange({ ...query, limit: Number(size), offset: 0 })}
      />
      <span class="grow" />
      {children}
    </div>
  );
}

interface ConditionsProps {
  readonly table: TableEntry;
  readonly query: TableQuery;
  readonly onChange: (part: Pick<TableQuery, "conditions">) => void;
}

/** The filters of a query. */
function Conditions({ table, query: { conditions }, onChange }: ConditionsProps): VNode {
  const first = table.columns[0]?.name;
  const add = (): void => {
    if (first === undefined) return;
    onChange({ conditions: [...conditions, { column: first, operator: "eq", value: "" }] });
  };
  return (
    <div class="row" role="search" aria-label="Filter rows">
      {conditions.map((condition, index) => (
        <ConditionEditor
          key={index}
          number={index + 1}
          columns={table.columns.map(({ name }) => name)}
          condition={condition}
          onChange={(next) => onChange({ conditions: conditions.toSpliced(index, 1, next) })}
          onRemove={() => onChange({ conditions: conditions.toSpliced(index, 1) })}
        />
      ))}
      <button type="button" class="quiet" disabled={first === undefined} onClick={add}>
        + Filter
      </button>
    </div>
  );
}

interface ConditionEditorProps {
  readonly number: number;
  readonly columns: readonly string[];
  readonly condition: FilterDraft;
  readonly onChange: (condition: FilterDraft) => void;
  readonly onRemove: () => void;
}

const operatorOptions = operatorNames.map((name) => [name, operators[name].sign] as const);

function ConditionEditor(props: ConditionEditorProps): VNode {
  const { number, columns, condition, onChange, onRemove } = props;
  return (
    <fieldset class="row">
      <legend class="unseen">Filter {number}</legend>
      <Select
        label="Column"
        bare
        value={condition.column}
        options={columns.map((name) => [name, name] as const)}
        onChange={(column) => onChange({ ...condition, column })}
      />
      <Select
        label="Operator"
        bare
        value={condition.operator}
        options={operatorOptions}
        onChange={(operator) => onChange({ ...condition, operator })}
      />
      <input
        aria-label="Value"
        size={14}
        placeholder={operators[condition.operator].placeholder}
        value={condition.value}
        onInput={(event) => onChange({ ...condition, value: event.currentTarget.value })}
      />
      <button type="button" class="quiet" aria-label={`Remove filter ${number}`} onClick={onRemove}>
        ×
      </button>
    </fieldset>
  );
}
