import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createEmulator } from "../../src/index.ts";
import { loadFixtures, startServer } from "../../src/node/index.ts";
import { fetchCurl } from "../support/paste-curl.ts";

const folder = fileURLToPath(new URL("../../fixtures", import.meta.url));
const readme = readFileSync(`${folder}/README.md`, "utf8");

/** Rows `| name | what it shows | curl line |`, in the order of the README. */
function documentedScripts(): { name: string; curl: string }[] {
  const rows = readme.matchAll(/^\| `([\w-]+)` \|.*\| `(curl .*)` \|$/gm);
  return [...rows].map(([, name = "", curl = ""]) => ({ name, curl }));
}

test("the default set has what it promises: rows, models and scripts", async () => {
  const { tables, models, scripts } = await loadFixtures(folder);
  const sizes = Object.fromEntries(tables.map(({ schema, rows }) => [schema.name, rows.length]));
  expect(sizes["users"]).toBeGreaterThanOrEqual(100);
  expect(sizes["products"]).toBeGreaterThanOrEqual(60);
  expect(sizes["orders"]).toBeGreaterThanOrEqual(200);
  expect(models.length).toBeGreaterThanOrEqual(4);
  expect(models.some(({ kind }) => kind === "embedding")).toBe(true);
  expect(models.some(({ variant }) => variant !== undefined)).toBe(true);
  expect(
    documentedScripts()
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(scripts.map(({ name }) => name).toSorted());
});

test("every curl line of the default set's README is answered by the script that it is for", async () => {
  const answeredBy: (string | undefined)[] = [];
  const observer = {
    exchanged: (record: { answeredBy: string | undefined }) => answeredBy.push(record.answeredBy),
  };
  const fixtures = await loadFixtures(folder);
  const emulator = await createEmulator({ fixtures, speed: 0, observer });
  const server = await startServer(emulator, { port: 0 });
  try {
    for (const { name, curl } of documentedScripts()) {
      const printed = await fetchCurl(curl.replace("http://127.0.0.1:4010", server.url));
      expect(printed, name).not.toBe("");
      expect(answeredBy.at(-1), curl).toMatch(new RegExp(`^script "${name}"`));
    }
  } finally {
    await server.close();
  }
});
