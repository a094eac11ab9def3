import { expect, onTestFinished, test } from "vitest";
import { createEmulator } from "../../../src/index.ts";
import { startServer } from "../../../src/fronts/node/server.ts";
import { browserContext } from "../../support/browser/browser.ts";
import { getIn, ownFixtures, ownRows } from "../../support/browser/own-page.ts";
import { serveSite } from "../../support/browser/serve-site.ts";

async function served() {
  const warnings: string[] = [];
  const observer = { warned: (message: string): void => void warnings.push(message) };
  const emulator = await createEmulator({ fixtures: ownFixtures, observer });
  const server = await startServer(emulator, { port: 0 });
  const site = await serveSite(new Map([["/index.html", "<title>A page</title>"]]));
  onTestFinished(async () => {
    await site.close();
    await server.close();
  });
  const page = await (await browserContext()).newPage();
  return { emulator, warnings, page, server, site };
}

const headers = { authorization: "Bearer local-token" };

test("a page of this machine reads the rows of a server at another port", async () => {
  const { page, server, site } = await served();
  await page.goto(site.origin);
  expect(await getIn(page, `${server.url}/rest/users`, { headers })).toBe(ownRows);
});

test("a page of another site neither reads nor writes, nor begins sessions", async () => {
  const { emulator, warnings, page, server } = await served();
  const foreign = "https://foreign.test";
  // Without the permission the browser asks the user first.
  await page.context().grantPermissions(["local-network-access"], { origin: foreign });
  await page.route(`${foreign}/**`, (route) =>
    route.fulfill({ body: "<title>Foreign</title>", contentType: "text/html" }),
  );
  await page.goto(`${foreign}/`);
  const refused = async (path: string, init: RequestInit): Promise<void> =>
    expect(getIn(page, `${server.url}${path}`, init)).rejects.toThrow("Failed to fetch");
  await refused("/rest/users", { headers });
  await refused("/rest/users/1", { method: "DELETE", headers });
  // No preflight goes before this one.
  await refused("/@x1/rest/users", { method: "POST", body: "{}" });
  expect(emulator.tables.users.rows()).toHaveLength(1);
  expect(emulator.journal.list()).toEqual([]);
  expect(emulator.core.sessions.list()).toEqual([]);
  expect(warnings).toEqual([expect.stringContaining(`--allow-origin ${foreign} `)]);
});
