import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { startService } from "../node/recording-proxy.ts";

const folder = fileURLToPath(new URL("recorded-files", import.meta.url));
const vitest = fileURLToPath(new URL("../../../node_modules/vitest/vitest.mjs", import.meta.url));

/** Runs a user's tests by a vitest of their own. */
async function runTests(env: Readonly<Record<string, string>>): Promise<[number, string]> {
  const { PATH = "" } = process.env;
  const child = spawn(process.execPath, [vitest, "run"], {
    cwd: folder,
    env: { PATH, NO_COLOR: "1", CI: "", ...env },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let out = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => (out += text));
  }
  const [code] = await once(child, "close");
  return [code, out];
}

test("a project has a cassette for each test: recorded once, replayed in CI, expired, unused, changed", async () => {
  const { path: tapes, write } = await temporaryFolder({});
  let asked = 0;
  const service = await startService((incoming, response) => {
    asked += 1;
    response.setHeader("content-type", "application/json");
    incoming.on("data", (body) => {
      const day = /day \d/.exec(String(body))?.[0];
      response.write(JSON.stringify({ choices: [{ message: { content: `Sleet, ${day}.` } }] }));
    });
    incoming.on("end", () => response.end());
  });
  const online = { SERVICE_URL: service, TAPES: tapes };
  const offline = { SERVICE_URL: "http://127.0.0.1:1", TAPES: tapes, CI: "1" };
  const seen = (): number => asked;

  expect((await runTests(online))[0]).toBe(0);
  expect(seen()).toBe(3);
  const own = join(tapes, "weather.recorded");
  expect(readdirSync(own).toSorted()).toEqual(["lists the models.json", "tells the weather.json"]);
  const weather = join(own, "tells the weather.json");
  const text = readFileSync(weather, "utf8");
  expect(text).not.toContain("sk-live-0123456789abcdef");
  expect(statSync(weather).mode & 0o777).toBe(0o600);

  // Neither asks again: once it is recorded, the test is replayed.
  expect((await runTests(online))[0]).toBe(0);
  expect((await runTests(offline))[0]).toBe(0);
  expect(seen()).toBe(3);

  const [changed, difference] = await runTests({ ...offline, PLACE: "Rome" });
  expect(changed).toBe(1);
  expect(difference).toContain("Weather in Oslo, day 0?");
  expect(difference).toContain("Weather in Rome, day 0?");

  const [unused, warning] = await runTests({ ...offline, TIMES: "1" });
  expect(unused).toBe(0);
  expect(warning).toMatch(
    /1 recording of .*tells the weather\.json was not used:\n {2}\S+ \d: POST/,
  );
  const [failed, failure] = await runTests({ ...offline, TIMES: "1", UNUSED: "fail" });
  expect(failed).toBe(1);
  expect(failure).toContain("was not used");

  await write("weather.recorded/tells the weather.json", {
    cassettes: JSON.parse(text).cassettes.map((cassette: object) => ({
      ...cassette,
      recordedAt: "2020-01-01T00:00:00.000Z",
    })),
  });
  const [expired, hint] = await runTests({ ...offline, EXPIRES_IN: "30d" });
  expect(expired).toBe(0);
  expect(hint).toContain("tells the weather.json has expired");
  expect((await runTests({ ...online, EXPIRES_IN: "30d" }))[0]).toBe(0);
  expect(seen()).toBe(5);
  expect(readFileSync(weather, "utf8")).not.toContain("2020-01-01");

  const [refused, message] = await runTests({ ...online, BACKLOT_RECORD: "onec" });
  expect(refused).toBe(1);
  expect(message).toContain('there is no mode "onec". Did you mean "once"?');
}, 120_000);
