import { exec } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { closeWindow, expectShown, openConsole } from "../../../support/browser/console-page.ts";

const views = ["requests", "tables/users", "chats", "scripts", "sessions", "faults"];
const wide = { width: 1280, height: 800 };

test.each([
  ["light", wide],
  ["dark", wide],
  ["light", { width: 360, height: 740 }],
] as const)("shows every view in %s at %j without a scroll bar below", async (scheme, viewport) => {
  const context = { colorScheme: scheme, viewport };
  await using opened = await openConsole({ context });
  for (const view of views) {
    await opened.show(view);
    const overflow = "document.documentElement.scrollWidth - innerWidth";
    expect(await opened.page.evaluate(overflow), view).toBeLessThanOrEqual(0);
    const ground: string = await opened.page.evaluate(
      "getComputedStyle(document.body).backgroundColor",
    );
    const [red = 0] = ground.match(/\d+/g)?.map(Number) ?? [];
    expect(red > 128, view).toBe(scheme === "light");
  }
});

/** Runs in the page: the names of all that can be used, and of what has the focus. */
const controls = `[...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]")]
  .filter((one) => one.tabIndex >= 0 && !one.disabled && one.checkVisibility())`;
const nameOf = `((one) => one.tagName + " " + (one.ariaLabel ?? one.title ?? "") + " " + one.textContent.slice(0, 40))`;

test("leads to everything in every view by Tab, and shows where the focus is", async () => {
  await using opened = await openConsole();
  const { page, server } = opened;
  await fetch(`${server.url}/rest/users`, { headers: { authorization: "Bearer local-token" } });
  await page.getByRole("row", { name: "/rest/users" }).waitFor();
  for (const view of views) {
    await opened.show(view);
    // The first is there already. The heading of another gets the focus, which Tab must not come before.
    await (view === views[0] ? page.locator("h1").focus() : page.locator("h1:focus").waitFor());
    const wanted: readonly string[] = await page.evaluate(`${controls}.map(${nameOf})`);
    const reached = new Set<string>();
    const isMissed = (name: string): boolean => !reached.has(name);
    for (let presses = 0; presses < 2 * wanted.length + 10 && wanted.some(isMissed); presses++) {
      await page.keyboard.press("Tab");
      const [name, outline]: readonly [string, string] = await page.evaluate(
        `[${nameOf}(document.activeElement), getComputedStyle(document.activeElement).outlineStyle]`,
      );
      if (!name.startsWith("BODY")) expect(outline, name).not.toBe("none");
      reached.add(name);
    }
    expect(wanted.filter(isMissed), view).toEqual([]);
  }
});

test("looks at a session that has not begun without beginning it, and begins it by a change", async () => {
  await using opened = await openConsole({ path: "/@b/__backlot/" });
  const { page, emulator, server } = opened;
  const sessions = async (): Promise<string> =>
    (await fetch(`${server.url}/__backlot/sessions`)).text();
  for (const view of views) await opened.show(view);
  await opened.show("tables/users");
  await page.getByText("3 rows", { exact: true }).waitFor();
  await expectShown(page.getByText("There is no session “b” yet."));
  expect(await sessions()).toBe('{"sessions":[]}');
  await page.getByRole("gridcell", { name: "Ada" }).press(" ");
  await page.getByRole("button", { name: "Delete 1 row" }).press("Enter");
  await page.keyboard.press("Enter");
  await page.getByText("There is no session “b” yet.").waitFor({ state: "detached" });
  expect(emulator.session("b").tables["users"]?.size).toBe(2);
});

test("shows the keys for ?, but not while one types", async () => {
  await using opened = await openConsole();
  const { page } = opened;
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).getByText("Ctrl K").waitFor();
  await closeWindow(page);
  await opened.show("scripts");
  await page.getByLabel("Name, criterion").press("?");
  expect(await page.getByRole("dialog").count()).toBe(0);
});

test("says how to ask a server that nobody has asked, and the lines work", async () => {
  await using opened = await openConsole();
  const { page } = opened;
  const line = async (name: string): Promise<string> =>
    await page.getByRole("region", { name }).innerText();
  const lines = [await line("POST /v1/chat/completions"), await line("GET /rest/users")];
  const answers = await Promise.all(
    lines.map(async (text) => (await promisify(exec)(text)).stdout),
  );
  expect(answers).toEqual([
    expect.stringContaining('"choices"'),
    expect.stringContaining('"result"'),
  ]);
  await page
    .getByRole("region", { name: "POST /v1/chat/completions" })
    .waitFor({ state: "detached" });
});

test("says where tables and scripts come from when there are none", async () => {
  await using opened = await openConsole({ options: { fixtures: {} } });
  await opened.show("tables");
  await expectShown(opened.page.getByText("such as tables/users.json of the folder"));
  await opened.show("scripts");
  await expectShown(opened.page.getByText("such as chats/greeting.json of the folder"));
});

test("keeps what a view shows in its address: through a reload, and while another is shown", async () => {
  await using opened = await openConsole();
  const { page } = opened;
  const links = page.getByRole("navigation", { name: "Views" });
  await links.getByText("Scripts").click();
  await page.getByLabel("Name, criterion").fill("end");
  await expect.poll(() => page.getByRole("listitem").count()).toBe(1);
  expect(new URL(page.url()).hash).toBe("#/scripts?part=end");
  await page.reload();
  await expect.poll(() => page.getByRole("listitem").count()).toBe(1);
  await links.getByText("Chats").click();
  await links.getByText("Scripts").click();
  expect(await page.getByLabel("Name, criterion").inputValue()).toBe("end");
});

test("finds views, tables, sessions and faults by their names, with Ctrl K", async () => {
  await using opened = await openConsole();
  const { page, emulator } = opened;
  const find = async (words: string): Promise<void> => {
    await page.locator("h1").waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Command" }).fill(words);
    await page.keyboard.press("Enter");
  };
  emulator.session("test 7").reset();
  await find("table st");
  await page.getByRole("region", { name: "The request" }).getByText("/rest/stock").waitFor();
  await find("429");
  await page.getByRole("link", { name: "1 fault active" }).press("Enter");
  await expectShown(page.getByRole("heading", { name: "fault 1" }));
  emulator.faults.clear();
  await page.getByRole("button", { name: "base session" }).press("Enter");
  await page.locator("[role=option]", { hasText: "test 7" }).waitFor();
  await page.keyboard.press("ArrowUp");
  await page.locator("[aria-selected=true]", { hasText: "test 7" }).waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/@test%207/__backlot/#/faults");
  // Before it is there, nobody hears the keys.
  await page.getByRole("button", { name: "test 7" }).waitFor();
  await find("nothing like that");
  await expectShown(page.getByText("Nothing has that name."));
});

test("keeps the commands, the head and what is below a notice where they are", async () => {
  await using opened = await openConsole();
  const { page, emulator } = opened;
  const placeOf = async (selector: string): Promise<string> =>
    await page.evaluate(
      `JSON.stringify(document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect())`,
    );
  await page.keyboard.press("Control+k");
  const input = page.getByRole("combobox", { name: "Command" });
  const commands = await placeOf("dialog");
  for (const words of ["table", "nothing like that", "s"]) {
    await input.fill(words);
    expect(await placeOf("dialog"), words).toBe(commands);
  }
  await closeWindow(page);
  await opened.show("scripts");
  const [nav, list] = [await placeOf("nav"), await placeOf("main ol")];
  emulator.faults.add({ status: 500, path: "/rest/log" });
  await page.getByText("1 fault active").waitFor();
  await page.route("**/faults", (route) => route.abort());
  await page.keyboard.press("Control+k");
  await input.fill("429");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").waitFor();
  expect([await placeOf("nav"), await placeOf("main ol")]).toEqual([nav, list]);
  await page.unrouteAll();
  await page.setViewportSize({ width: 1280, height: 300 });
  await page.mouse.wheel(0, 200);
  await expect.poll(() => page.evaluate("scrollY")).toBeGreaterThan(0);
  expect(await placeOf("nav")).toBe(nav);
  await page.setViewportSize(wide);
});

test("has four sizes of type in every view, and no other", async () => {
  await using opened = await openConsole();
  const sizes = `[...new Set([...document.body.querySelectorAll("*")]
    .filter((one) => one.checkVisibility()).map((one) => getComputedStyle(one).fontSize))]`;
  for (const view of views) {
    await opened.show(view);
    const found: readonly string[] = await opened.page.evaluate(sizes);
    expect(["12px", "14px", "16px", "20px"], view).toEqual(expect.arrayContaining([...found]));
  }
});

test("is that of the session in its path", async () => {
  await using opened = await openConsole({ path: "/@a%20b/__backlot" });
  const { page, emulator } = opened;
  await opened.show("tables/users");
  await page.getByText("/@a%20b/rest/users").waitFor();
  await page.getByRole("gridcell", { name: "Ada" }).press(" ");
  await page.getByRole("button", { name: "Delete 1 row" }).press("Enter");
  await page.keyboard.press("Enter");
  await page.getByText("2 rows", { exact: true }).waitFor();
  expect(emulator.session("a b").tables["users"]?.size).toBe(2);
  expect(emulator.tables["users"]?.size).toBe(3);
});
