import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { LLMock } from "@copilotkit/aimock";
import { expect, onTestFinished, test } from "vitest";
import { type BacklotProcess, spawnBacklot } from "../fronts/cli/backlot-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** A user's project: what it asks the model, and its test, which knows only the variables that OpenAI's clients read. */
const project = {
  "package.json": { type: "module" },
  "weather.js": `
    export async function weather(city) {
      const response = await fetch(process.env.OPENAI_BASE_URL + "/chat/completions", {
        method: "POST",
        headers: {
          authorization: "Bearer " + process.env.OPENAI_API_KEY,
          "content-type": "application/json",
        },
        body: JSON.stringify({
          model: "gpt-4o",
          messages: [{ role: "user", content: "What is the weather in " + city + "?" }],
        }),
      });
      const answer = await response.json();
      if (!response.ok) throw new Error(answer.error.message);
      return answer.choices[0].message.content;
    }`,
  "weather.test.js": `
    import assert from "node:assert/strict";
    import test from "node:test";
    import { weather } from "./weather.js";
    test("tells the weather", async () => {
      assert.equal(await weather("Oslo"), "Sleet, and 2 degrees.");
    });`,
};

const secret = "sk-live-0123456789abcdef";

/** Runs the project's test through a recorder in front of aimock, as a user does once. */
async function recordOnce(folder: string): Promise<void> {
  const mock = new LLMock({ port: 0 });
  mock.onMessage("Oslo", { content: "Sleet, and 2 degrees." });
  const upstream = await mock.start();
  const words = ["record", "--upstream", `${upstream}/v1`, "--port", "0", "--log", "json"];
  const recorder = spawnBacklot(words, { cwd: folder });
  const [, url = ""] = await recorder.written(/"chatUrl":"([^"]+)"/);
  const env = { ...process.env, OPENAI_BASE_URL: url, OPENAI_API_KEY: secret };
  await promisify(execFile)(process.execPath, ["--test"], { cwd: folder, env });
  recorder.signal("SIGINT");
  expect(await recorder.exit).toBe(0);
  await mock.stop();
}

/** Runs the project's test as CI does, with nobody to ask but Backlot. */
function replay(folder: string): BacklotProcess {
  const node = JSON.stringify(process.execPath);
  const words = ["exec", "fixtures", "--strict", "--", "sh", "-c", `${node} --test`];
  const run = spawnBacklot(words, { cwd: folder });
  onTestFinished(() => run.signal("SIGKILL"));
  return run;
}

test("a project's test is recorded once, replays without the service, and fails with the difference of a changed prompt", async () => {
  const { path: folder, write } = await temporaryFolder(project);
  await recordOnce(folder);
  const cassettes = join(folder, "fixtures", "cassettes");
  const texts = readdirSync(cassettes).map((name) => readFileSync(join(cassettes, name), "utf8"));
  expect(texts).toHaveLength(1);
  expect(texts.join()).not.toContain(secret);

  const asRecorded = replay(folder);
  expect([await asRecorded.exit, asRecorded.err()]).toEqual([0, expect.any(String)]);

  const changed = project["weather.js"].replace("What is the weather in", "How is the weather in");
  await write("weather.js", changed);
  const withChange = replay(folder);
  expect(await withChange.exit).toBe(1);
  expect(withChange.out()).toContain('recorded: "What is the weather in Oslo?"');
  expect(withChange.out()).toContain('sent:     "How is the weather in Oslo?"');
});
