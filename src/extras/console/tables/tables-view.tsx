import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Failure } from "../api/failure.ts";
import { useConsole } from "../parts/console-context.ts";
import { ConfirmButton } from "../parts/confirm-button.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { hashOf } from "../parts/route.ts";
import { TableRows } from "./table-rows.tsx";

/** The tables, and the rows of one of them. */
export function TablesView({ selected }: { readonly selected: string | undefined }): VNode {
  const { client, setup, reload, announce } = useConsole();
  const [failure, setFailure] = useState<Failure>();
  const [resets, setResets] = useState(0);
  const { tables } = setup;
  const table = selected === undefined ? tables[0] : tables.find(({ name }) => name === selected);
  const reset = async (): Promise<void> => {
    const body = { scope: ["tables"] };
    const answer = await client.control("/reset", { method: "POST", body });
    setFailure(answer.ok ? undefined : answer.error);
    if (!answer.ok) return;
    announce("The tables are as the fixtures have them.");
    setResets(resets + 1);
    reload();
  };
  return (
    <>
      <PageHead title="Tables" note={`profile ${setup.profiles.rest}`}>
        <ConfirmButton label="Reset tables" onConfirm={() => void reset()} />
      </PageHead>
      <FailureNotice failure={failure} />
      {tables.length === 0 && <p class="empty">The fixtures have no tables.</p>}
      <nav class="chips" aria-label="Tables">
        {tables.map(({ name, rows }) => (
          <a
            key={name}
            href={hashOf("tables", name)}
            aria-current={name === table?.name ? "page" : undefined}
          >
            {name} <span class="count">{rows}</span>
          </a>
        ))}
      </nav>
      {table !== undefined && <TableRows key={`${table.name} ${resets}`} table={table} />}
      {table === undefined && tables.length > 0 && (
        <p class="empty">There is no table of that name.</p>
      )}
    </>
  );
}
