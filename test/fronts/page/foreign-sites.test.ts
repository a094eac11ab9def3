import { expect, onTestFinished, test } from "vitest";
import { createEmulator, type EmulatorSettings } from "../../../src/index.ts";
import { startServer } from "../../../src/fronts/node/server.ts";
import { browserContext } from "../../support/browser/browser.ts";
import { insecureHost } from "../../support/browser/insecure-host.ts";
import { answered, reading, recordedFixtures } from "../../support/cassettes.ts";
import { getIn, ownFixtures, ownRows } from "../../support/browser/own-page.ts";

async function served(settings: EmulatorSettings = {}, host?: string) {
  const warnings: string[] = [];
  const observer = { warned: (message: string): void => void warnings.push(message) };
  const emulator = await createEmulator({ ...settings, fixtures: ownFixtures, observer });
  const server = await startServer(emulator, { port: 0, ...(host === undefined ? {} : { host }) });
  onTestFinished(() => server.close());
  return { emulator, warnings, port: server.port, url: server.url };
}

/** A page of an origin that nobody serves. */
async function pageOf(origin: string) {
  const page = await (await browserContext()).newPage();
  // Without the permission the browser asks the user first.
  await page.context().grantPermissions(["local-network-access"], { origin });
  await page.route(`${origin}/`, (route) =>
    route.fulfill({ body: "<title>A page</title>", contentType: "text/html" }),
  );
  await page.goto(`${origin}/`);
  return page;
}

const headers = { authorization: "Bearer local-token" };

test("a page of this machine reads the rows of a server at another port", async () => {
  const { url } = await served();
  expect(await getIn(await pageOf("http://localhost:5173"), `${url}/rest/users`, { headers })).toBe(
    ownRows,
  );
});

test("a page of another site neither reads nor writes, nor begins sessions", async () => {
  const { emulator, warnings, url } = await served({ auth: false });
  const foreign = "https://foreign.test";
  const page = await pageOf(foreign);
  const refused = async (path: string, init: RequestInit): Promise<void> =>
    expect(getIn(page, `${url}${path}`, init)).rejects.toThrow("Failed to fetch");
  await refused("/rest/users", { headers });
  await refused("/rest/users/1", { method: "DELETE", headers });
  // No preflight goes before these.
  await refused("/@x1/rest/users", { method: "POST", body: "{}" });
  await page.evaluate(`new Promise((resolve) => {
    const picture = new Image();
    picture.onload = picture.onerror = resolve;
    picture.src = "${url}/@x2/rest/users";
  })`);
  expect(emulator.tables.users.rows()).toHaveLength(1);
  expect(emulator.journal.list()).toEqual([]);
  expect(emulator.core.sessions.list()).toEqual([]);
  expect(warnings).toEqual([
    expect.stringContaining(`--allow-origin ${foreign} `),
    expect.stringContaining("--allow-origin '*' "),
  ]);
});

test("the script of a recorded page does not run, so it cannot reset the server that replays it", async () => {
  const script = 'fetch("/__backlot/reset", { method: "POST" }); document.title = "It ran";';
  const answer = answered({
    headers: { "content-type": "text/html" },
    body: { text: `<title>Recorded</title><script>${script}</script>` },
  });
  const fixtures = recordedFixtures({ tables: [[reading("/page"), answer]] });
  const emulator = await createEmulator({ fixtures, auth: false });
  const server = await startServer(emulator, { port: 0 });
  onTestFinished(() => server.close());
  emulator.faults.add({ status: 503, path: "/nowhere" });
  const page = await (await browserContext()).newPage();
  await page.goto(`${server.url}/rest/page`);
  expect(await page.title()).toBe("Recorded");
  expect(emulator.faults.list()).toHaveLength(1);
});

function rowsAt(port: number): string {
  return `http://${insecureHost}:${port}/rest/users`;
}

/** A page that comes from this machine by another name: a route that answers every Host stands for it. */
async function pageAt(port: number) {
  const origin = `http://${insecureHost}:${port}`;
  const page = await (await browserContext()).newPage();
  await page.goto(`${origin}/__backlot/health`);
  return { page, origin };
}

test("a page whose name was rebound to this machine reads nothing, unless the name is allowed", async () => {
  const strict = await served();
  const rebound = (await pageAt(strict.port)).page;
  expect(await getIn(rebound, rowsAt(strict.port), { headers })).toContain("foreign_host");
  const open = await served({ hosts: [insecureHost] });
  const own = (await pageAt(open.port)).page;
  expect(await getIn(own, rowsAt(open.port), { headers })).toBe(ownRows);
});

test("where other machines connect, a rebound page can read but not write", async () => {
  const { emulator, port } = await served({}, "0.0.0.0");
  const { page, origin } = await pageAt(port);
  expect(await getIn(page, `${origin}/rest/users`, { headers })).toBe(ownRows);
  const row = `${origin}/rest/users/1`;
  expect(await getIn(page, row, { method: "DELETE", headers })).toContain("foreign_origin");
  expect(emulator.tables.users.rows()).toHaveLength(1);
});

test("a phone's page, which this machine serves by its name in the network, reads once it is allowed", async () => {
  const site = await served({}, "0.0.0.0");
  const { page, origin } = await pageAt(site.port);
  const allowed = await served({ cors: { origins: [origin] } }, "0.0.0.0");
  const other = await served({}, "0.0.0.0");
  expect(await getIn(page, rowsAt(allowed.port), { headers })).toBe(ownRows);
  await expect(getIn(page, rowsAt(other.port), { headers })).rejects.toThrow("Failed to fetch");
});
