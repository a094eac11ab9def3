import { expect, onTestFinished, test } from "vitest";
import { run } from "../../../src/fronts/cli/run.ts";
import { startService } from "../node/recording-proxy.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { testIo, written } from "./test-io.ts";

test.each([
  ["json", /^\{"event":"warning","message":"ambiguous: GET \/users\?token=\[token 1\]: .*"\}$/gm],
  ["pretty", /^ambiguous: GET \/users\?token=\[token 1\]: .*$/gm],
])("warns of requests that differ in a secret alone: --log %s", async (format, line) => {
  const service = await startService(({ url = "" }, response) => {
    response.end(url.includes("first") ? "one" : "another");
  });
  const { path: cwd } = await temporaryFolder({});
  const io = testIo({ cwd });
  const args = ["record", "--rest-upstream", service, "--port", "0", "--log", format];
  const exit = run(args, io);
  onTestFinished(() => io.stop());
  const [, url] = await written(io.out, /(http:\/\/127\.0\.0\.1:\d+)(?!.*\1:)/);
  for (const token of ["first-one", "first-one", "other-one"]) {
    await (await fetch(`${url}/rest/users?token=${token}`)).text();
  }
  io.stop();
  expect(await exit).toBe(0);
  expect(`${io.out()}${io.err()}`.match(line)).toHaveLength(1);
});
