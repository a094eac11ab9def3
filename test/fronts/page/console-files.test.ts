import { text } from "node:stream/consumers";
import type { Download } from "playwright-core";
import initSqlJs from "sql.js-period";
import { expect, test } from "vitest";
import { createEmulator } from "../../../src/index.ts";
import { openConsole } from "../../support/browser/console-page.ts";

interface SavedFile {
  readonly name: string;
  readonly text: string;
}

async function savedFile(download: Download): Promise<SavedFile> {
  const content = text(await download.createReadStream());
  return { name: download.suggestedFilename(), text: await content };
}

/** The rows that a query finds in an empty database in which the statements were run. */
async function rowsOfSql(statements: string, query: string): Promise<unknown> {
  const { Database } = await initSqlJs();
  const database = new Database();
  database.run(statements);
  return database.exec(query)[0]?.values;
}

test("saves a table as a JSON, a CSV and an SQL file", async () => {
  await using opened = await openConsole();
  const { page } = opened;
  await opened.show("tables/users");
  const saved = async (format: string): Promise<SavedFile> => {
    await page.getByLabel("Format of the file").selectOption(format);
    const coming = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export to a file" }).press("Enter");
    return savedFile(await coming);
  };
  const json = await saved("JSON");
  expect(json.name).toBe("users.json");
  expect(JSON.parse(json.text)).toMatchObject([
    { name: "Ada" },
    { name: "Grace" },
    { name: "Alan" },
  ]);
  const csv = await saved("CSV");
  expect([csv.name, csv.text.split("\r\n")[1]]).toEqual([
    "users.csv",
    '1,Ada,London,true,"[""a""]"',
  ]);
  const sql = await saved("SQL");
  expect(sql.name).toBe("users.sql");
  expect(await rowsOfSql(sql.text, "SELECT name, city FROM users")).toEqual([
    ["Ada", "London"],
    ["Grace", null],
    ["Alan", "London"],
  ]);
});

test("saves the whole state as a file that an emulator starts from", async () => {
  await using opened = await openConsole();
  const { page, emulator } = opened;
  await opened.show("tables/users");
  emulator.tables["users"]?.update(2, { city: "Arlington" });
  const coming = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export as fixtures" }).press("Enter");
  const saved = await savedFile(await coming);
  expect(saved.name).toBe("backlot.json");
  const again = await createEmulator({ fixtures: JSON.parse(saved.text) });
  expect(again.tables["users"]?.rows()).toEqual(emulator.tables["users"]?.rows());
  expect(again.chats.list().map((script) => script.name)).toEqual(["slow", "endless", "broken"]);
});

test("saves a request that failed as a test", async () => {
  await using opened = await openConsole();
  const { page, server } = opened;
  const body = JSON.stringify({
    model: "atlas-large",
    messages: [{ role: "user", content: "broken" }],
  });
  const headers = { authorization: "Bearer any", "content-type": "application/json" };
  await fetch(`${server.url}/v1/chat/completions`, { method: "POST", headers, body }).then(
    (response) => response.text().catch(() => ""),
  );
  await page.getByRole("treegrid").getByText("broken").first().click();
  const coming = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save failure" }).press("Enter");
  const saved = await savedFile(await coming);
  expect(saved.name).toBe("failure-1.test.ts");
  expect(saved.text).toContain('import { createTest } from "backlot/vitest";');
  expect(saved.text).toContain('"name": "broken"');
});
