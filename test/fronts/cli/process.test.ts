import { createServer } from "node:net";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { spawnBacklot } from "./backlot-process.ts";
import { pasteCurl } from "../../support/paste-curl.ts";

const fixtures = {
  models: [{ id: "it's a model" }],
  tables: { "it's a table": [{ id: 1, text: "first" }] },
  chats: [
    {
      name: "endless",
      when: { user: "endless" },
      reply: { chunks: ["first", { wait: 600_000 }, "second"] },
    },
  ],
};

const readyLine = /^\{"event":"ready".*\}$/m;

/** The body of a chat request that is never answered to the end. */
function endless(): RequestInit {
  const messages = [{ role: "user", content: "endless" }];
  return {
    method: "POST",
    headers: { authorization: "Bearer any", "content-type": "application/json" },
    body: JSON.stringify({ model: "it's a model", stream: true, messages }),
  };
}

test("prints curl lines that work when they are pasted", async () => {
  const { path: cwd } = await temporaryFolder({ "db.json": fixtures });
  const backlot = spawnBacklot(["--port", "0", "--token", "it's-$HOME"], { cwd });
  const [, tables = "", chat = ""] = await backlot.written(/^(curl .*)\n(curl -N .*)$/m);
  expect(JSON.parse(await pasteCurl(tables))).toEqual({ result: [{ id: 1, text: "first" }] });
  expect(await pasteCurl(chat)).toMatch(
    /^data: \{.*"object":"chat.completion.chunk".*\n\ndata: \[DONE\]\n\n$/s,
  );
  expect(backlot.out()).not.toContain("\u001B");
  expect(backlot.err()).toBe("");
});

test("prints the same lines for programs", async () => {
  const { path: cwd } = await temporaryFolder({ "db.json": fixtures });
  const backlot = spawnBacklot(["--port", "0", "--log", "json"], { cwd });
  const [line] = await backlot.written(readyLine);
  expect(backlot.out()).toBe(`${line}\n`);
  const { curl } = JSON.parse(line);
  expect(JSON.parse(await pasteCurl(curl.tables))).toEqual({ result: [{ id: 1, text: "first" }] });
  expect(await pasteCurl(curl.chat)).toContain("data: [DONE]\n\n");
});

test.each(["SIGTERM", "SIGINT"] as const)(
  "%s ends an open stream, and exits 0 within a second",
  async (signal) => {
    const { path: cwd } = await temporaryFolder({ "db.json": fixtures });
    const backlot = spawnBacklot(["--port", "0", "--log", "json"], { cwd });
    const [line] = await backlot.written(readyLine);
    const response = await fetch(`${JSON.parse(line).url}/chat/completions`, endless());
    const reader = response.body?.getReader();
    await reader?.read();
    const signalled = performance.now();
    backlot.signal(signal);
    await expect(reader?.read()).rejects.toThrow("terminated");
    expect(await backlot.exit).toBe(0);
    expect(performance.now() - signalled).toBeLessThan(1_000);
    expect(backlot.out()).toMatch(/"event":"request".*"aborted":true/);
  },
);

test("exits 1 in one line when the port is in use", async () => {
  const { path: cwd } = await temporaryFolder({ "db.json": fixtures });
  const other = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void other.close());
  await once(other, "listening");
  const address = other.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const backlot = spawnBacklot(["-p", String(port)], { cwd });
  expect(await backlot.exit).toBe(1);
  expect(backlot.err()).toMatch(/^error: Cannot listen on .*: the port is in use\. .*\n$/);
  expect(backlot.err()).toContain(`--port ${port + 1}`);
  expect(backlot.out()).toBe("");
});

test("exits 2 for wrong usage, without a stack", async () => {
  const { path: cwd } = await temporaryFolder();
  const backlot = spawnBacklot(["--prot", "1"], { cwd });
  expect(await backlot.exit).toBe(2);
  expect(backlot.err()).toContain("(Did you mean --port?)");
  expect(backlot.err()).not.toMatch(/^ +at /m);
});

test("check exits 1 with file, line, column and the nearest key on stderr", async () => {
  const { path: cwd } = await temporaryFolder({
    "shop/tables/users.json": '{\n  "colums": {}\n}\n',
  });
  const backlot = spawnBacklot(["check", "shop"], { cwd });
  expect(await backlot.exit).toBe(1);
  expect(backlot.err()).toMatch(/^shop\/tables\/users\.json:2:3: .*"colums".*"columns"/m);
});

test("obeys FORCE_COLOR, and NO_COLOR over it", async () => {
  const { path: cwd } = await temporaryFolder({ "db.json": {} });
  const colored = spawnBacklot(["check"], { cwd, env: { FORCE_COLOR: "1" } });
  const plain = spawnBacklot(["check"], { cwd, env: { FORCE_COLOR: "1", NO_COLOR: "1" } });
  expect([await colored.exit, await plain.exit]).toEqual([0, 0]);
  expect(colored.out()).toContain("\u001B[32mok\u001B[39m");
  expect(plain.out()).toMatch(/^ok /);
});

test("goes on serving when nobody reads its output any more", async () => {
  const { path: cwd } = await temporaryFolder({ "db.json": fixtures });
  const backlot = spawnBacklot(["--port", "0", "--log", "json", "--no-auth"], { cwd });
  const [line] = await backlot.written(readyLine);
  backlot.closeOutput();
  const address = `${JSON.parse(line).url}/rest/it's%20a%20table`;
  expect((await fetch(address)).status).toBe(200);
  expect((await fetch(address)).status).toBe(200);
});
