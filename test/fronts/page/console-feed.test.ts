import { once } from "node:events";
import { expect, test } from "vitest";
import { startServer } from "../../../src/fronts/node/server.ts";
import { createEmulator } from "../../../src/index.ts";
import { browserContext, siteOrigin } from "../../support/browser/browser.ts";
import { expectShown, openConsole } from "../../support/browser/console-page.ts";
import { getIn, openOwnPage, startOwn } from "../../support/browser/own-page.ts";
import { stopWorkers } from "../../support/browser/stop-workers.ts";

const headers = { authorization: "Bearer local-token" };

test("reads bodies when a request is opened and not before, and what has failed at once", async () => {
  await using opened = await openConsole();
  const { page, server } = opened;
  await page.getByText("live").waitFor();
  const read: string[] = [];
  page.on("request", (asked) => read.push(new URL(asked.url()).pathname));
  const wholeOnes = (): readonly string[] =>
    read.filter((path) => /\/requests\/\d+$/.test(path)).map((path) => path.slice(-1));
  await fetch(`${server.url}/rest/users/1`, { headers });
  await fetch(`${server.url}/rest/nobody`, { headers });
  await page.getByText("2 of 2").waitFor();
  await expect.poll(wholeOnes).toEqual(["2"]);
  await page.getByRole("row", { name: "/rest/users/1" }).click();
  await page.getByText("How the table finds the rows").waitFor();
  expect(wholeOnes()).toEqual(["2", "1"]);
  await page.getByRole("row", { name: "/rest/nobody" }).click();
  await page.locator(".details").getByText('There is no table "nobody"').first().waitFor();
  expect(wholeOnes()).toEqual(["2", "1"]);
  expect(read.filter((path) => path.endsWith("/requests"))).toEqual([]);
});

test("asks nothing while nothing happens, and shows what other programs change", async () => {
  await using opened = await openConsole({ context: {} });
  const { page, emulator } = opened;
  await page.clock.install();
  await page.reload();
  await page.getByText("live").waitFor();
  await opened.show("tables/users");
  await page.getByRole("gridcell", { name: "Ada" }).first().waitFor();
  await page.clock.runFor(1000);
  const asked: string[] = [];
  page.on("request", (one) => asked.push(one.url()));
  await page.clock.runFor(60_000);
  expect(asked).toEqual([]);
  emulator.faults.add({ status: 503 });
  await page.getByText("1 fault active").waitFor();
  emulator.faults.clear();
  await page.getByText("1 fault active").waitFor({ state: "detached" });
  emulator.tables["users"]?.insert({ name: "Nobody's row" });
  await page.getByText("Nobody's row").waitFor();
});

test("reads the set-up again when another server has taken the place of the one before", async () => {
  await using opened = await openConsole();
  const { page, server } = opened;
  const connection = page.getByRole("status", { name: "Connection" });
  await connection.getByText("live").waitFor();
  await server.close();
  await connection.getByText("server gone").waitFor();
  const again = await createEmulator({ fixtures: {} });
  again.faults.add({ status: 503 });
  const restarted = await startServer(again, { port: Number(new URL(server.url).port) });
  await connection.getByText("live").waitFor();
  await expectShown(page.getByText("1 fault active"));
  await restarted.close();
});

test("finds the words of bodies and headers, which only the server has", async () => {
  await using opened = await openConsole();
  const { page, server } = opened;
  await page.getByText("live").waitFor();
  await fetch(`${server.url}/rest/users/1`, { headers: { ...headers, "x-tenant": "acme" } });
  await fetch(`${server.url}/rest/users/2`, { headers });
  await page.getByText("2 of 2").waitFor();
  await page.getByLabel("Find").fill("x-tenant: ACME");
  await page.getByText("1 of 2").waitFor();
  await page.getByRole("row", { name: "/rest/users/1" }).waitFor();
  await fetch(`${server.url}/rest/users/3`, { headers: { ...headers, "x-tenant": "acme" } });
  await expectShown(page.getByText("2 of 3"));
});

test("says by how many requests it lags, until it has read them", async () => {
  await using opened = await openConsole();
  const { page } = opened;
  const connection = page.getByRole("status", { name: "Connection" });
  await connection.getByText("live").waitFor();
  const body = 'event: missed\ndata: {"count":3}\n\n';
  await page.route(/requests\/live/, (route) =>
    route.fulfill({ contentType: "text/event-stream", body }),
  );
  let lists = 0;
  const held = new AbortController();
  await page.route(/requests\?.*last=200/, async (route) => {
    if (++lists > 1 && !held.signal.aborted) await once(held.signal, "abort");
    await route.continue();
  });
  await page.reload();
  await connection.getByText("lagging by 3").waitFor();
  await page.unroute(/requests\/live/);
  held.abort();
  await expectShown(connection.getByText("live"));
});

test("keeps the requests of a worker that dies under it, with a line between its runs", async () => {
  const context = await browserContext();
  const page = await openOwnPage(context);
  await startOwn(page);
  await getIn(page, "/rest/users");
  const shown = await context.newPage();
  await shown.goto(`${siteOrigin()}/__backlot/`);
  await shown.getByText("1 of 1").waitFor();
  await getIn(page, "/rest/nobody");
  await shown.getByText("2 of 2").waitFor();
  await stopWorkers(page);
  await getIn(page, "/rest/users?id=1");
  await shown.getByText("3 of 3").waitFor();
  await shown.getByText(/↑ server restarted, \d\d:\d\d/).waitFor();
  await shown.getByRole("row", { name: "/rest/users" }).last().click();
  await shown.getByText("only its summary is left").waitFor();
  await shown.getByRole("row", { name: "/rest/nobody" }).click();
  await expectShown(shown.locator(".details").getByText('There is no table "nobody"').first());
});
