import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { TableEntry } from "../api/setup.ts";
import { useConsole } from "../parts/console-context.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { useKept } from "../parts/use-kept.ts";
import { curlOf } from "../requests/curl.ts";
import { AddRow } from "./add-row.tsx";
import { Conditions } from "./conditions.tsx";
import { Grid } from "./grid.tsx";
import { Pager } from "./pager.tsx";
import { firstQuery, queryPath, type TableQuery, typed } from "./query.ts";
import { useRows } from "./use-rows.ts";
import { useWrites } from "./use-writes.ts";

/** The rows of a table, to be filtered, sorted, paged and changed by REST requests. */
export function TableRows({ table }: { readonly table: TableEntry }): VNode {
  const [query, setQuery] = useKept<TableQuery>(`table ${table.name}`, firstQuery);
  const [isAdding, setAdding] = useState(false);
  const { reload: reloadSetup } = useConsole();
  const { value: rows, failure, isLoading, reload } = useRows(table, query);
  const { refusal, add, change, remove } = useWrites(table, reload);
  const ask = (part: Partial<TableQuery>): void => setQuery({ ...query, offset: 0, ...part });
  return (
    <section aria-label={`Rows of ${table.name}`}>
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
    <div class="query-line">
      <code tabIndex={0} role="region" aria-label="The request">
        <span class="muted">GET</span> {target}
      </code>
      <CopyButton label="Copy URL" text={() => location.origin + target} />
      <CopyButton label="Copy as curl" text={curl} />
    </div>
  );
}
