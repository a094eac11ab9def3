import type { VNode } from "preact";
import type { TableEntry } from "../api/client.ts";
import { Button, Select } from "../parts/controls.tsx";
import { download } from "../parts/download.ts";
import { useConsole, useKept } from "../parts/use-console.ts";
import { copyFormats, createTable } from "./copy-rows.ts";
import type { TableRow } from "./row.ts";

/** The files that rows are saved as: their endings, and the format of the rows in them. */
const fileFormats = [
  ["json", "JSON"],
  ["csv", "CSV"],
  ["sql", "SQL"],
] as const;

interface SaveRowsProps {
  readonly table: TableEntry;
  /** The rows to save. Throws if they cannot be read. */
  readonly rows: () => Promise<readonly TableRow[]>;
}

/**
 * A menu that saves rows as a file: for fixtures, for a spreadsheet, or for a database that does not have the table
 * yet.
 */
export function SaveRows({ table, rows }: SaveRowsProps): VNode {
  const { announce, report } = useConsole();
  const [ending, choose] = useKept<(typeof fileFormats)[number][0]>("format of saved rows", "json");
  const save = async (): Promise<void> => {
    try {
      const [, format] = fileFormats.find(([name]) => name === ending) ?? fileFormats[0];
      const text = copyFormats[format](table, await rows());
      const name = `${table.name}.${ending}`;
      download(name, ending === "sql" ? createTable(table) + text : text);
      announce(`Saved as ${name}.`);
    } catch (error) {
      report({ status: 0, message: error instanceof Error ? error.message : String(error) });
    }
  };
  return (
    <span class="row">
      <Button text="Export to a file" class="quiet" onClick={() => void save()} />
      <Select
        label="Format of the file"
        bare
        value={ending}
        options={fileFormats}
        onChange={choose}
      />
    </span>
  );
}

/** A button that saves the session's tables, models, scripts and counters as a file that a server can start from. */
export function SaveState(): VNode {
  const { client, setup, announce, report } = useConsole();
  const save = async (): Promise<void> => {
    const answer = await client.control("/state");
    if (!answer.ok) return report(answer.error);
    const name = `${setup.session ?? "backlot"}.json`;
    download(name, `${JSON.stringify(answer.value, undefined, 2)}\n`);
    announce(`Saved as ${name}.`);
  };
  return (
    <Button
      text="Export as fixtures"
      title="Save all tables, models, scripts and counters as a file that a server can start from"
      onClick={() => void save()}
    />
  );
}
