import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { run } from "../../../../src/fronts/cli/run.ts";
import { browser } from "../../../support/browser/browser.ts";
import { temporaryFolder, type TemporaryFolder } from "../../../support/temporary-folder.ts";
import { testIo, written } from "../../cli/test-io.ts";

// What one opens the console for, each in at most three clicks or keys from the list of requests.

let folder: TemporaryFolder;
let url: string;
let page: Page;

const fixtures = {
  "fixtures/config.json": { auth: false },
  "fixtures/models.json": [{ id: "atlas-large" }],
  "fixtures/tables/users.json": [{ id: 7, name: "Grace" }],
  "fixtures/chats/all.json": [
    {
      name: "A",
      when: { user: "weather", stream: true },
      reply: { content: "Sunny all day.", pace: { gapMs: 20 } },
    },
    { name: "B", when: { user: "weather" }, reply: { content: "Rain." } },
    {
      name: "breaks",
      when: { user: "news" },
      reply: { content: "One two three", fault: { kind: "reset", afterChunks: 3 } },
    },
    {
      name: "counts",
      when: { user: "Count" },
      reply: { content: "One two three", fault: { kind: "stall", afterChunks: 2 } },
    },
    { name: "calls", when: { user: "city" }, reply: { toolCalls: [{ name: "get_city" }] } },
    { name: "sees", when: { user: "on it" }, reply: { content: "A dot." } },
    { name: "hangs", when: { user: "wait" }, reply: { content: "x", fault: { kind: "hang" } } },
  ],
};

/** Starts a server on a watched folder, asks it what the questions are about, and opens its console. */
async function begin(): Promise<void> {
  folder = await temporaryFolder(fixtures);
  const io = testIo({ cwd: folder.path });
  const stopped = run(["--watch", "--port", "0", "--log", "json"], io);
  const [ready] = await written(io.out, /^\{"event":"ready".*\}$/m);
  ({ url } = JSON.parse(ready) as { readonly url: string });
  page = await (await browser()).newPage();
  page.setDefaultTimeout(30_000);
  onTestFinished(async () => {
    await page.context().close();
    io.stop();
    await stopped;
  });
  await ask("GET", "/rest/user");
  await ask("PATCH", "/rest/users/7", { name: "Ada" });
  await ask("GET", "/rest/users/7");
  await ask("GET", "/@cart-test/rest/users");
  await chat("What is the weather?");
  await chat("What is the weather?", { stream: true });
  await chat("Any news?", { stream: true });
  await chat("Which city?");
  await chat([
    { type: "text", text: "What is on it?" },
    { type: "image_url", image_url: { url: dot } },
  ]);
  await chat("Who are you?");
  void chat("Count slowly.", { stream: true });
  await chat("Are you there?", {}, { "x-stainless-retry-count": "1" });
  void chat("Please wait.");
}

async function ask(
  method: string,
  path: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<number> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const asked = { "content-type": "application/json", ...headers };
  const response = await fetch(url + path, { method, headers: asked, ...sent });
  // A stream may break off.
  await response.text().catch(() => undefined);
  return response.status;
}

/** A picture of one point. */
const dot = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";

function chat(
  content: string | readonly object[],
  more: object = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<number> {
  const body = { model: "atlas-large", messages: [{ role: "user", content }], ...more };
  // A hanging one ends with the server.
  return ask("POST", "/v1/chat/completions", body, headers).catch(() => 0);
}

/** Counts what a user does. */
class Walk {
  steps = 0;

  async click(what: Locator): Promise<void> {
    this.steps++;
    await what.click();
  }

  row(name: string | RegExp): Promise<void> {
    return this.click(page.getByRole("row", { name }).first());
  }

  tab(name: string): Promise<void> {
    return this.click(page.getByRole("tab", { name, exact: true }));
  }

  button(name: string): Promise<void> {
    return this.click(page.getByRole("button", { name }));
  }
}

const details = (): Locator => page.locator(".details");

const questions: readonly (readonly [string, number, (walk: Walk) => Promise<void>])[] = [
  [
    "why did this request get a 404",
    1,
    async (walk) => {
      await walk.row("404 refused GET /rest/user");
      await details().getByText('There is no table "user". Did you mean "users"?').waitFor();
    },
  ],
  [
    "why did script B answer and not A",
    1,
    async (walk) => {
      await walk.row(/What is the weather\? atlas-large JSON/);
      await details().getByRole("row", { name: "A stream true false" }).waitFor();
    },
  ],
  [
    "what exactly did the client get before the stream broke",
    2,
    async (walk) => {
      await walk.row("broken off");
      await walk.tab("Response");
      await details().getByText("3 frames sent").waitFor();
      await details().getByText("Then broken off: ").waitFor();
      const frames = details().getByRole("region", { name: "Frames of the answer" });
      expect(await frames.innerText()).toContain('content "One"');
    },
  ],
  [
    "which of my tests' sessions asked this",
    1,
    async (walk) => {
      await walk.click(page.getByLabel("all sessions"));
      await page.getByRole("row", { name: "cart-test GET /rest/users" }).waitFor();
    },
  ],
  [
    "what hangs now",
    1,
    async (walk) => {
      await walk.button("2 under way");
      await page.getByText("2 of ").waitFor();
      await page.getByRole("row", { name: "under way POST Please wait." }).waitFor();
    },
  ],
  [
    "make this request fail next time",
    2,
    async (walk) => {
      await walk.row("200 complete GET /rest/users/7");
      await walk.button("Fail next time");
      await page.locator(".toast").getByText("gets 503").waitFor();
      expect(await ask("GET", "/rest/users/7")).toBe(503);
      expect(await ask("GET", "/rest/users/7")).toBe(200);
    },
  ],
  [
    "what did the client send the second time",
    2,
    async (walk) => {
      await walk.row("retry 1");
      await walk.tab("Request");
      const body = details().getByRole("region", { name: "Body of the request" });
      await body.getByText("Are you there?").waitFor();
    },
  ],
  [
    "how late was the third chunk",
    2,
    async (walk) => {
      await walk.row(/What is the weather\? atlas-large stream/);
      await walk.tab("Timing");
      const third = details().locator(".frame").nth(2);
      expect(await third.innerText()).toMatch(/^3\s+content\s+planned .*, sent .*, late -?[\d.]+/);
    },
  ],
  [
    "who changed row 7",
    3,
    async (walk) => {
      await walk.row("200 complete GET /rest/users/7");
      await walk.click(page.getByRole("link", { name: "Who changed it" }));
      await walk.row("PATCH /rest/users/7");
      await details().getByText("node", { exact: true }).waitFor();
    },
  ],
  [
    "how do these two requests differ",
    3,
    async (walk) => {
      await walk.row(/What is the weather\? atlas-large JSON/);
      await walk.button("Compare");
      await walk.row(/What is the weather\? atlas-large stream/);
      const differences = details().getByRole("region", { name: "Differences between" });
      await differences.getByRole("row", { name: "request.stream nothing true" }).waitFor();
      await differences.getByRole("row", { name: /^script "B" "A"$/ }).waitFor();
      const said = differences.getByRole("row", { name: /^answer\[0\].content/ });
      expect(await said.innerText()).toMatch(/"Rain\."\s+"Sunny all day\."$/);
    },
  ],
  [
    "which requests have a call of a tool",
    1,
    async (walk) => {
      walk.steps++;
      await page.getByLabel("Find").fill("tool_calls");
      await page.getByText("1 of ").waitFor();
      await page.getByRole("row", { name: "Which city? atlas-large" }).waitFor();
    },
  ],
  [
    "what did a chat with a picture say",
    2,
    async (walk) => {
      await walk.row("What is on it?");
      await walk.tab("Messages");
      const drawn = details().getByRole("img", { name: "Picture in message 1" });
      expect(await drawn.evaluate((image) => "complete" in image && image.complete)).toBe(true);
    },
  ],
  [
    "how far is a stream that is under way",
    2,
    async (walk) => {
      await walk.row("Count slowly.");
      await walk.tab("Messages");
      await details().getByRole("article", { name: "Answer 1" }).getByText("One").waitFor();
      await details()
        .getByText(/frames and \d+ bytes sent. Nothing for/)
        .waitFor();
    },
  ],
  // Last, since it loads the fixtures again.
  [
    "turn this into a fixture",
    3,
    async (walk) => {
      await walk.row("Who are you?");
      await walk.button("Make a script");
      await walk.button("Write into fixtures");
      await page.locator(".toast").getByText("written into fixtures/chats").waitFor();
      const file = await readFile(join(folder.path, "fixtures/chats/who-are-you.json"), "utf8");
      expect(JSON.parse(file)).toMatchObject({ when: { user: { equals: "Who are you?" } } });
    },
  ],
];

test("answers fourteen questions in at most three clicks each", async () => {
  await begin();
  for (const [question, most, answer] of questions) {
    await page.goto("about:blank");
    await page.goto(`${url}/__backlot/`);
    await page.getByRole("row", { name: "Who are you?" }).waitFor();
    const walk = new Walk();
    await answer(walk);
    process.stdout.write(`${question}? ${walk.steps}\n`);
    expect(walk.steps, question).toBe(most);
    expect(most, question).toBeLessThanOrEqual(3);
  }
});

test("records what is in the list into the folder, from which it is replayed", async () => {
  await begin();
  await page.goto(`${url}/__backlot/`);
  await page.getByRole("row", { name: "Who are you?" }).waitFor();
  await page.getByRole("button", { name: "Record", exact: true }).click();
  await page.locator(".toast").getByText("Recorded into fixtures/cassettes.").waitFor();
  const names = await readdir(join(folder.path, "fixtures/cassettes"));
  expect(names).toContainEqual(expect.stringMatching(/^chat-who-are-you-\w{6}\.json$/));
});
