import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { spawnBacklot } from "./backlot-process.ts";

const notes = "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT);\n";
const endless = `${notes}CREATE TABLE t AS WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT max(n) FROM c;`;

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

test.each([
  ["start", ["start", "app.sql", "--port", "0"]],
  ["check", ["check", "app.sql"]],
  ["exec", ["exec", "app.sql", "--", process.execPath, "--version"]],
  ["import", ["import", "app.sql", "--out", "imported"]],
])("a signal ends %s while a dump is read that never ends", async (_, args) => {
  const { path: cwd } = await temporaryFolder({ "app.sql": endless });
  const backlot = spawnBacklot(args, { cwd });
  await pause(2_000);
  backlot.signal("SIGTERM");
  expect(await backlot.exit).toBe("SIGTERM");
});

/** A server that watches a dump, and its rows. */
async function watched(...more: readonly string[]) {
  const folder = await temporaryFolder({
    "app.sql": `${notes}INSERT INTO notes VALUES (1, 'first');`,
  });
  const args = ["app.sql", "--watch", "--no-auth", "--port", "0", "--log", "json", ...more];
  const backlot = spawnBacklot(args, { cwd: folder.path });
  const [line] = await backlot.written(/^\{"event":"ready".*\}$/m);
  const { url } = JSON.parse(line);
  const rows = async (): Promise<unknown> => (await fetch(`${url}/rest/notes`)).json();
  return { folder, backlot, url, rows };
}

test("a server goes on while a dump is read that never ends, until there is a newer one", async () => {
  const { folder, backlot, rows } = await watched();
  await folder.write("app.sql", endless);
  await pause(1_000);
  expect(await rows()).toEqual({ result: [{ id: 1, text: "first" }] });
  await folder.write("app.sql", `${notes}INSERT INTO notes VALUES (2, 'second');`);
  await backlot.written(/"event":"reload"/);
  expect(await rows()).toEqual({ result: [{ id: 2, text: "second" }] });
  expect(backlot.err()).toBe("");
  backlot.signal("SIGTERM");
  expect(await backlot.exit).toBe(0);
});

test("a server that reads a dump that never ends obeys a signal, and writes its state", async () => {
  const { folder, backlot, url } = await watched("--export-on-exit", "after.json");
  await folder.write("app.sql", endless);
  await pause(1_000);
  await fetch(`${url}/rest/notes`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ text: "second" }),
  });
  backlot.signal("SIGTERM");
  expect(await backlot.exit).toBe(0);
  const { tables } = JSON.parse(await readFile(join(folder.path, "after.json"), "utf8"));
  expect(tables.notes.rows).toHaveLength(2);
});
