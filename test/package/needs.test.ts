import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { refuseOlder } from "../../src/fronts/needs/refuse-older.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** What is said in a module below a folder that has a msw of this version. */
async function saidOf(version: unknown): Promise<unknown> {
  const folder = await temporaryFolder({ "node_modules/msw/package.json": { version } });
  try {
    refuseOlder("An entry", "msw", pathToFileURL(join(folder.path, "deep/below/it.js")).href);
    return undefined;
  } catch (error) {
    return error;
  }
}

test.each(["1.3.5", "2.0.0", "2.9.0", "2.13.7", "0.49.3"])("refuses %s", async (version) => {
  expect(await saidOf(version)).toMatchObject({
    name: "EmulatorError",
    code: "ERR_VERSION_TOO_OLD",
    message: `An entry cannot work with msw ${version}: it needs msw 2.14 or newer. Install one: npm install --save-dev msw@2.`,
  });
});

test.each(["2.14.0", "2.14.0-beta.1", "2.15.3", "3.0.0", "10.1.0"])("takes %s", async (version) => {
  expect(await saidOf(version)).toBeUndefined();
});

test("takes a package that is not there, or has no version: the import tells more", async () => {
  expect(await saidOf(undefined)).toBeUndefined();
  const folder = await temporaryFolder({});
  const module = pathToFileURL(join(folder.path, "it.js")).href;
  expect(() => refuseOlder("An entry", "kysely", module)).not.toThrow();
});

test("refuses nothing in a page, which cannot look", () => {
  expect(() => refuseOlder("An entry", "msw", "http://localhost/node_modules/it.js")).not.toThrow();
});
