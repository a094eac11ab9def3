import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Cassette } from "../../../src/core/recordings/cassette.ts";
import { run } from "../../../src/fronts/cli/run.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { answering, startService } from "../node/recording-proxy.ts";
import { type BacklotProcess, spawnBacklot } from "./backlot-process.ts";
import { testIo } from "./test-io.ts";

const ready = /"event":"ready".*"url":"([^"]+)"/;

/** Starts a process of its own that serves, and says where. */
async function serve(
  cwd: string,
  args: readonly string[],
): Promise<BacklotProcess & { readonly url: string }> {
  const started = spawnBacklot([...args, "--port", "0", "--log", "json"], { cwd });
  const [, url = ""] = await started.written(ready);
  return { ...started, url };
}

/** The queries of the requests in the only cassette of a project. */
async function queriesIn(cwd: string): Promise<readonly string[]> {
  const folder = join(cwd, "fixtures/cassettes");
  expect(await readdir(folder)).toEqual(["chat-models.json"]);
  const text = await readFile(join(folder, "chat-models.json"), "utf8");
  const { recordings } = JSON.parse(text) as Cassette;
  return recordings.map(({ request }) => String(request.query));
}

test.each([
  ["record", ["record", "--upstream"]],
  ["start --record", ["start", "--record"]],
])("two processes that run %s on one folder lose no answer that they gave", async (_, args) => {
  const { path } = await temporaryFolder({
    "fixtures/chats/hi.json": { reply: { content: "Hi." } },
  });
  const answer = answering({ "content-type": "application/json" }, '{"data":[]}');
  const upstream = `${await startService(answer)}/v1`;
  const recorders = await Promise.all([1, 2].map(() => serve(path, [...args, upstream])));
  const asked = recorders.flatMap(({ url }, recorder) =>
    Array.from({ length: 30 }, (__, count) => ({ url, query: `recorder=${recorder}&n=${count}` })),
  );
  await Promise.all(
    asked.map(async ({ url, query }) => (await fetch(`${url}/v1/models/x?${query}`)).text()),
  );
  for (const { signal } of recorders) signal("SIGINT");
  expect(await Promise.all(recorders.map(({ exit }) => exit))).toEqual([0, 0]);
  expect(new Set(await queriesIn(path))).toEqual(new Set(asked.map(({ query }) => query)));
});

test("recording a journal keeps what its cassettes have, and adds nothing twice", async () => {
  const { path } = await temporaryFolder({ "other/chats/hi.json": { reply: { content: "Hi." } } });
  const { url } = await serve(path, ["start", "other"]);
  const record = async (query: string): Promise<readonly string[]> => {
    await (await fetch(`${url}/v1/models?${query}`)).text();
    expect(await run(["record", "--from-journal", url], testIo({ cwd: path }))).toBe(0);
    return queriesIn(path);
  };
  expect(await record("n=1")).toEqual(["n=1"]);
  expect(await record("n=2")).toEqual(["n=1", "n=2"]);
});
