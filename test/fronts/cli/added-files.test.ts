import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { run } from "../../../src/fronts/cli/run.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { testIo, written } from "./test-io.ts";

const content = "x".repeat(20_000);

test("scripts that control calls write into the fixtures count as what they add, until they are removed", async () => {
  const folder = await temporaryFolder({ "shop/config.json": { addedLimit: 50_000 } });
  const io = testIo({ cwd: folder.path });
  const exit = run("start shop --watch --no-auth --port 0 --log json".split(" "), io);
  onTestFinished(() => io.stop());
  const [, url = ""] = await written(io.out, /"url":"([^"]+)"/);
  const write = async (name: string): Promise<number> => {
    const response = await fetch(`${url}/__backlot/fixtures/chats`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name, when: { user: name }, reply: { content } }),
    });
    await response.text();
    return response.status;
  };
  expect([await write("one"), await write("two"), await write("three")]).toEqual([201, 201, 507]);
  await written(io.out, /"event":"reload".*"scripts":2/);
  expect(await write("three")).toBe(507);
  await rm(join(folder.path, "shop/chats/one.json"));
  expect(await write("three")).toBe(201);
  io.stop();
  expect(await exit).toBe(0);
});
