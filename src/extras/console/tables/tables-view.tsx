import type { VNode } from "preact";
import { useConsole } from "../parts/console-context.ts";
import { ConfirmButton } from "../parts/confirm-button.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { useActions } from "../parts/use-actions.ts";
import { hashOf } from "../parts/route.ts";
import { TableRows } from "./table-rows.tsx";

/** The tables, and the rows of one of them. */
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
      <PageHead title="Tables" note={`profile ${setup.profiles.rest}`}>
        <ConfirmButton label="Reset tables" onConfirm={reset} />
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
      {table !== undefined && <TableRows key={table.name} table={table} />}
      {table === undefined && tables.length > 0 && (
        <p class="empty">There is no table of that name. Choose one above.</p>
      )}
    </>
  );
}
