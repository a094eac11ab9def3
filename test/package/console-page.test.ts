import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeConsole } from "../../scripts/console/make-console.ts";

test("the console's page is made again when a file that it was made of has changed, and else not", async () => {
  const folder = mkdtempSync(join(tmpdir(), "backlot-console-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const at = (name: string): string => join(folder, name);

  await makeConsole(folder);
  expect(readdirSync(folder).toSorted()).toEqual([
    "console-page.d.ts",
    "console-page.js",
    "console-page.json",
  ]);
  const { ino } = statSync(at("console-page.js"));
  await makeConsole(folder);
  expect(statSync(at("console-page.js")).ino).toBe(ino);

  const hashes: Readonly<Record<string, string>> = JSON.parse(
    readFileSync(at("console-page.json"), "utf8"),
  );
  // Its own modules, those of the core that it shares, its style sheets, and what packs it.
  expect(Object.keys(hashes)).toEqual(
    expect.arrayContaining([
      "package-lock.json",
      "scripts/console/pack-console.ts",
      "src/core/schema/json.ts",
      "src/extras/console/main.tsx",
      "src/extras/console/page.html",
      "src/extras/console/style/base.css",
    ]),
  );
  writeFileSync(
    at("console-page.json"),
    JSON.stringify({ ...hashes, "src/core/schema/json.ts": "as it was before" }),
  );
  await makeConsole(folder);
  expect(statSync(at("console-page.js")).ino).not.toBe(ino);
});
