import { expect, test } from "vitest";
import { startServer } from "../../../src/fronts/node/server.ts";
import { createEmulator, EmulatorError } from "../../../src/index.ts";
import { expectShown, openConsole } from "../../support/browser/console-page.ts";

const headers = { authorization: "Bearer k", "content-type": "application/json" };
const models = [{ id: "atlas-large" }];

function fixturesWith(user: string) {
  return {
    models,
    tables: { users: [{ id: 1, name: "Ada" }] },
    chats: [{ name: "greeting", when: { user }, reply: { content: "Hello." } }],
  };
}

async function ask(url: string): Promise<string> {
  const body = JSON.stringify({
    model: "atlas-large",
    messages: [{ role: "user", content: "hello" }],
  });
  const asked = { method: "POST", headers, body };
  return (await fetch(`${url}/v1/chat/completions`, asked)).text();
}

test("a failure is seen, mended and seen to pass in three clicks, and nothing of it is lost", async () => {
  const options = { fixtures: fixturesWith("helo"), strict: true } as const;
  await using opened = await openConsole({ options });
  const { page, server, emulator } = opened;
  await ask(server.url);
  await page.getByRole("row", { name: "refused" }).click();
  await page.locator(".details").getByText("greeting").first().waitFor();
  const problem = { file: "fixtures/chats/greeting.json", line: 3, column: 5, message: "no JSON" };
  const broken = new EmulatorError("ERR_FIXTURES_INVALID", "Cannot read the fixtures: no JSON.", {
    problems: [problem],
  });
  emulator.core.refuseFixtures(broken);
  await page.getByText("The fixtures are broken: fixtures/chats/greeting.json:3:5").waitFor();
  await opened.show("tables");
  await expectShown(page.getByText("Cannot read the fixtures: no JSON."));
  await opened.show("requests");
  const mended = await createEmulator({ ...options, fixtures: fixturesWith("hello") });
  emulator.core.load(mended.core.fixtures);
  await page.getByText("The fixtures are broken").waitFor({ state: "detached" });
  await page.getByText(/↑ fixtures reloaded, \d\d:\d\d/).waitFor();
  await page.getByRole("row", { name: "refused" }).click();
  await page.getByRole("button", { name: "Send again" }).click();
  await page.getByRole("row", { name: "200 complete" }).click();
  await page.getByText("All conditions of the script held").waitFor();
  const chats = emulator.journal.list({ interface: "chat" });
  expect(chats.map(({ status }) => status)).toEqual([404, 200]);
});

test("keeps what it saw when the server is started again, and says in every view that it is gone", async () => {
  await using opened = await openConsole({ options: { fixtures: fixturesWith("hello") } });
  const { page, server } = opened;
  const connection = page.getByRole("status", { name: "Connection" });
  await connection.getByText("live").waitFor();
  await ask(server.url);
  await page.getByRole("row", { name: "200 complete" }).click();
  await server.close();
  await connection.getByText("server gone").waitFor();
  await page.getByRole("button", { name: "Send again" }).click();
  await page.getByRole("alert").getByText("No answer").first().waitFor();
  await page.evaluate('location.hash = "#/faults"');
  await expectShown(connection.getByText("server gone"));
  const again = await createEmulator({ fixtures: fixturesWith("hello") });
  const restarted = await startServer(again, { port: Number(new URL(server.url).port) });
  await connection.getByText("live").waitFor();
  await page.evaluate('location.hash = "#/requests"');
  await ask(server.url);
  await page.getByText("2 of 2").waitFor();
  await page.getByText(/↑ server restarted, \d\d:\d\d/).waitFor();
  expect(again.journal.list()).toHaveLength(1);
  await restarted.close();
});
