import { readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, inject, test } from "vitest";
import type { NamedCassette } from "../../../src/core/recordings/cassette.ts";
import { runOwnVitest } from "../../support/own-vitest.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { startService } from "../node/recording-proxy.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const key = "sk-live-0123456789abcdef";

const config = `
  const backlot = ${JSON.stringify(inject("vitestModule"))};
  // A busy machine takes longer than vitest's five seconds.
  export default { resolve: { alias: { "backlot/vitest": backlot } }, test: { testTimeout: 60_000 } };`;

/** A user's tests of what they ask about the weather of a place on some days. */
function testsOf(recording: object, { place = "Oslo", days = [0, 1] } = {}): string {
  return `
    import { createTest } from "backlot/vitest";
    import { expect } from "vitest";

    const recording = ${JSON.stringify(recording)};
    const sameRequest = (request) => ({ ...request, query: "" });
    const test = createTest({ recording: { ...recording, sameRequest } });

    test("tells the weather", async ({ backlot }) => {
      for (const day of ${JSON.stringify(days)}) {
        const content = "Weather in ${place}, day " + day + "?";
        const answer = await backlot.fetch("/v1/chat/completions?nonce=" + Math.random(), {
          method: "POST",
          headers: { authorization: "Bearer ${key}" },
          body: JSON.stringify({ model: "atlas", messages: [{ role: "user", content }] }),
        });
        expect(await answer.text()).toContain("Sleet, day " + day);
      }
    });

    test("lists the models", async ({ backlot }) => {
      const answer = await backlot.fetch("/v1/models", { headers: { authorization: "Bearer any" } });
      expect(answer.status).toBe(200);
    });`;
}

interface Weather {
  readonly url: string;
  readonly asked: () => number;
  /** Puts the service on the network again. */
  readonly open: () => void;
  readonly close: () => void;
}

/** A service that counts its requests, those too that it does not answer while it is closed. */
async function startWeather(): Promise<Weather> {
  let asked = 0;
  let isOpen = true;
  const url = await startService((incoming, response) => {
    asked += 1;
    if (!isOpen) response.destroy();
    response.setHeader("content-type", "application/json");
    incoming.on("data", (body) => {
      const day = /day \d/.exec(String(body))?.[0];
      response.write(JSON.stringify({ choices: [{ message: { content: `Sleet, ${day}.` } }] }));
    });
    incoming.on("end", () => response.end());
  });
  return {
    url: `${url}/v1`,
    asked: () => asked,
    open: () => void (isOpen = true),
    close: () => void (isOpen = false),
  };
}

test("a project has a cassette for each test: recorded once, replayed in CI, expired, unused, changed", async () => {
  const project = await temporaryFolder({ "vitest.config.mjs": config });
  symlinkSync(join(root, "node_modules"), join(project.path, "node_modules"));
  const { url: upstream, asked, open, close } = await startWeather();
  const ci = { CI: "1" };
  const change = (...parts: Parameters<typeof testsOf>): Promise<void> =>
    project.write("weather.test.js", testsOf(...parts));
  const own = "__cassettes__/weather.test";
  const tape = join(project.path, own, "tells the weather.json");

  // Recorded once: the second run asks nobody.
  await change({ upstream });
  for (let count = 0; count < 2; count++) {
    const { code, out } = await runOwnVitest(project.path, []);
    expect([code, asked()]).toEqual([0, 3]);
    expect(out).not.toContain("[backlot]");
  }
  expect(readdirSync(join(project.path, own)).toSorted()).toEqual([
    "lists the models.json",
    "tells the weather.json",
  ]);
  expect(readFileSync(tape, "utf8")).not.toContain(key);
  expect(statSync(tape).mode & 0o777).toBe(0o600);

  // Replayed in CI, where nobody can be asked.
  close();
  const replayed = await runOwnVitest(project.path, [], ci);
  expect(replayed.code).toBe(0);
  expect(replayed.out).not.toContain("[backlot]");

  await change({ upstream }, { place: "Rome" });
  const changed = await runOwnVitest(project.path, [], ci);
  expect(changed.code).toBe(1);
  expect(changed.out).toMatch(
    /is not recorded\. The closest is recording 1 of the cassette \\"chat-weather-in-oslo-day-0-\w+\\", but:\\n {2}body\.messages\.0\.content\\n {4}recorded: \\"Weather in Oslo, day 0\?\\"\\n {4}sent: {5}\\"Weather in Rome, day 0\?\\"/,
  );

  const unused =
    /1 recording of __cassettes__\/weather\.test\/tells the weather\.json was not used:\n {2}chat-weather-in-oslo-day-1-\w+ 1: POST \/chat\/completions\nDelete it, or record anew with BACKLOT_RECORD=all\.\n/;
  for (const unusedRecordings of ["warn", "fail", "ignore"]) {
    await change({ upstream, unusedRecordings }, { days: [0] });
    const { code, out } = await runOwnVitest(project.path, [], ci);
    expect(code).toBe(unusedRecordings === "fail" ? 1 : 0);
    if (unusedRecordings === "ignore") expect(out).not.toContain("was not used");
    else expect(out).toMatch(unused);
  }

  const { cassettes } = JSON.parse(readFileSync(tape, "utf8"));
  const recordedAt = "2020-01-01T00:00:00.000Z";
  await project.write(`${own}/tells the weather.json`, {
    cassettes: cassettes.map((cassette: object) => ({ ...cassette, recordedAt })),
  });
  await change({ upstream, expiresIn: "30d" });
  const expired = await runOwnVitest(project.path, [], ci);
  expect(expired.code).toBe(0);
  expect(expired.out).toContain(
    "[backlot] __cassettes__/weather.test/tells the weather.json has expired. Record it anew with BACKLOT_RECORD=all.\n",
  );
  expect(asked()).toBe(3);
  open();
  const renewed = await runOwnVitest(project.path, []);
  expect([renewed.code, asked()]).toEqual([0, 5]);
  expect(renewed.out).not.toContain("has expired");
  expect(readFileSync(tape, "utf8")).not.toContain(recordedAt);

  await project.remove(own);
  const missing = await runOwnVitest(project.path, [], ci);
  expect([missing.code, asked()]).toEqual([1, 5]);
  expect(missing.out).toContain(
    "Error: Cannot answer GET /models: this request is not recorded, because the cassette __cassettes__/weather.test/lists the models.json does not exist. Record it with BACKLOT_RECORD=new where the service can be asked, and commit it.\n",
  );

  const refused = await runOwnVitest(project.path, [], { BACKLOT_RECORD: "onec" });
  expect(refused.code).toBe(1);
  expect(refused.out).toContain('there is no mode "onec". Did you mean "once"?');
}, 240_000);

/** A file with a test that asks for the models, and one with each of the names and bodies that are given. */
function modelTests(
  upstream: string,
  tests: Readonly<Record<string, string>>,
  recording = {},
): string {
  const lines = Object.entries(tests).map(
    ([name, body]) => `test(${JSON.stringify(name)}, async ({ backlot }) => { ${body} });`,
  );
  return `
    import { createTest } from "backlot/vitest";
    import { describe, expect, test as plain } from "vitest";

    const test = createTest({ recording: ${JSON.stringify({ upstream, ...recording })} });
    const list = (backlot) => backlot.fetch("/v1/models").catch(() => {});
    ${lines.join("\n")}`;
}

function sentence(file: string, how: string): string {
  return `because the cassette __cassettes__/${file} does not exist. Record it with ${how} where the service can be asked, and commit it.`;
}

test("a test without its cassette fails in CI, whatever it makes of the answer, and says how to record it", async () => {
  const project = await temporaryFolder({ "vitest.config.mjs": config });
  symlinkSync(join(root, "node_modules"), join(project.path, "node_modules"));
  const { url } = await startWeather();
  await project.write(
    "a.test.js",
    modelTests(url, {
      "ignores the answer": "await list(backlot);",
      "believes it": "expect(await (await list(backlot)).text()).toContain('sleet');",
      "asks for nothing": "",
    }),
  );
  const fixtures = { tables: { users: [{ id: 1 }] } };
  await project.write(
    "b.test.js",
    modelTests(url, { "reads fixtures": "await list(backlot);" }, { mode: "none" }).replace(
      "createTest({",
      `createTest({ auth: false, fixtures: ${JSON.stringify(fixtures)},`,
    ) +
      `test("needs none", async ({ backlot }) => {
      expect((await backlot.fetch("/rest/users")).status).toBe(200);
      expect((await backlot.fetch("/rest/nothing")).status).toBe(404);
    });`,
  );
  const { code, out } = await runOwnVitest(project.path, [], { CI: "true" });
  expect(code).toBe(1);
  expect(out).toContain("3 failed | 2 passed");
  expect(out).toContain(sentence("a.test/ignores the answer.json", "BACKLOT_RECORD=new"));
  expect(out).toContain(sentence("a.test/believes it.json", "BACKLOT_RECORD=new"));
  expect(out).toContain(sentence("b.test/reads fixtures.json", 'mode: "new"'));
}, 240_000);

test("cassettes that no test asks for are reported after all tests, and fail them where that is wanted", async () => {
  const project = await temporaryFolder({ "vitest.config.mjs": config });
  symlinkSync(join(root, "node_modules"), join(project.path, "node_modules"));
  const { url } = await startWeather();
  const asks = "await list(backlot);";
  await project.write("a.test.js", modelTests(url, { one: asks, two: asks, three: asks }));
  await project.write("b.test.js", modelTests(url, { other: asks }));
  const first = await runOwnVitest(project.path, []);
  expect([first.code, first.out]).toEqual([0, expect.not.stringContaining("[backlot]")]);

  // Left out, not chosen or in another file, a test may still ask.
  await project.write(
    "a.test.js",
    `${modelTests(url, { one: asks, three: asks })} test.skip("two", ({ backlot }) => backlot);`,
  );
  const chosen = await runOwnVitest(project.path, ["a.test.js", "-t", "one"]);
  expect([chosen.code, chosen.out]).toEqual([0, expect.not.stringContaining("[backlot]")]);

  await project.remove("b.test.js");
  await project.write(
    "a.test.js",
    `${modelTests(url, { one: asks })} describe("a", () => plain("two", () => {}));`,
  );
  const { code, out } = await runOwnVitest(project.path, []);
  expect(code).toBe(0);
  const own = "__cassettes__/a.test/three.json\n  __cassettes__/a.test/two.json";
  expect(out).toContain(
    `[backlot] No test asks any more for 3 cassettes:\n  ${own}\n  __cassettes__/b.test/other.json\n`,
  );
  await project.write("a.test.js", modelTests(url, { one: asks }, { unusedRecordings: "fail" }));
  const failed = await runOwnVitest(project.path, []);
  expect(failed.code).toBe(1);
  expect(failed.out).toContain("Error: No test asks any more for 3 cassettes:");
}, 240_000);

const projects = `
  const alias = { "backlot/vitest": ${JSON.stringify(inject("vitestModule"))} };
  const project = (name) => ({ resolve: { alias }, test: { name, testTimeout: 60_000 } });
  export default { test: { projects: [project("one"), project("two")] } };`;

test("each test has a cassette of its own, whatever its name, in each project", async () => {
  const project = await temporaryFolder({ "vitest.config.mjs": projects });
  symlinkSync(join(root, "node_modules"), join(project.path, "node_modules"));
  const { url, asked, close } = await startWeather();
  const titles = ["a/b", "a:b", "☔", "☀", `${"x".repeat(100)}1`, `${"x".repeat(100)}2`];
  await project.write(
    "names.test.js",
    `import { createTest } from "backlot/vitest";
    import { expect } from "vitest";
    const recording = { upstream: ${JSON.stringify(url)}, unusedRecordings: "fail" };
    const test = createTest({ recording });
    const ask = async (backlot, content) => {
      const body = JSON.stringify({ model: "atlas", messages: [{ role: "user", content }] });
      const answer = await backlot.fetch("/v1/chat/completions", { method: "POST", body });
      expect(await answer.text()).toContain("Sleet");
    };
    for (const title of ${JSON.stringify(titles)}) {
      test(title, ({ backlot }) => ask(backlot, title));
    }
    test.for([1, 2, 3])("without a placeholder", (number, { backlot }) => ask(backlot, "n" + number));`,
  );
  const first = await runOwnVitest(project.path, []);
  expect([first.code, asked()]).toEqual([0, 18]);
  expect(readdirSync(join(project.path, "__cassettes__/names.test"))).toHaveLength(18);

  close();
  const replayed = await runOwnVitest(project.path, [], { CI: "1" });
  expect([replayed.code, replayed.out]).toEqual([0, expect.not.stringContaining("[backlot]")]);
  const chosen = await runOwnVitest(project.path, ["--project", "two", "-t", "without"]);
  expect([chosen.code, chosen.out]).toEqual([0, expect.not.stringContaining("[backlot]")]);
}, 240_000);

test("tests of several files share a cassette with a name, and lose nothing of it", async () => {
  const project = await temporaryFolder({ "vitest.config.mjs": config });
  symlinkSync(join(root, "node_modules"), join(project.path, "node_modules"));
  const { url: upstream, asked, close } = await startWeather();
  const write = async (of: string, recording: object): Promise<void> =>
    project.write(
      `${of}.test.js`,
      `import { createTest } from "backlot/vitest";
      import { expect } from "vitest";
      const test = createTest({ recording: ${JSON.stringify({ upstream, ...recording })} });
      for (const number of [1, 2, 3, 4]) {
        test.concurrent("asks " + number, async ({ backlot }) => {
          const answer = await backlot.fetch("/v1/models?file=${of}&n=" + number);
          expect([answer.status, await answer.text()]).toEqual([200, ""]);
        });
      }`,
    );
  const files = ["a", "b", "c"];
  const recorded = (): readonly string[] => {
    const text = readFileSync(join(project.path, "__cassettes__/our models.json"), "utf8");
    const { cassettes } = JSON.parse(text) as { cassettes: readonly NamedCassette[] };
    const [cassette, ...others] = cassettes;
    expect(others).toEqual([]);
    return (cassette?.recordings ?? []).map(({ request }) => String(request.query)).toSorted();
  };
  const all = files.flatMap((of) => [1, 2, 3, 4].map((number) => `file=${of}&n=${number}`));

  for (const of of files) await write(of, { name: "our models" });
  const first = await runOwnVitest(project.path, []);
  expect([first.code, asked(), recorded()]).toEqual([0, 12, all]);
  const again = await runOwnVitest(project.path, ["b.test.js"], { BACKLOT_RECORD: "all" });
  expect([again.code, asked(), recorded()]).toEqual([0, 16, all]);
  close();
  const replayed = await runOwnVitest(project.path, [], { CI: "1" });
  expect([replayed.code, replayed.out]).toEqual([0, expect.not.stringContaining("[backlot]")]);

  await write("a", { name: "our/models" });
  const refused = await runOwnVitest(project.path, ["a.test.js"]);
  expect(refused.out).toContain(
    `Cannot record tests: the cassette's "name" is "our/models", which is no plain file name.`,
  );
}, 240_000);

/** Test code that asks for the models. */
function list(of: string): string {
  return `expect((await backlot.fetch("/v1/models?${of}")).status).toBe(200);`;
}

test("a named cassette that mode once begins is recorded by all tests of the file", async () => {
  const project = await temporaryFolder({ "vitest.config.mjs": config });
  symlinkSync(join(root, "node_modules"), join(project.path, "node_modules"));
  const { url, asked } = await startWeather();
  const tests = { one: list("1"), two: list("2"), three: list("1") };
  await project.write("a.test.js", modelTests(url, tests, { name: "shared", mode: "once" }));
  const first = await runOwnVitest(project.path, []);
  expect([first.code, asked()]).toEqual([0, 2]);
  await project.write(
    "a.test.js",
    modelTests(url, { more: list("3") }, { name: "shared", mode: "once" }),
  );
  const second = await runOwnVitest(project.path, []);
  expect([second.code, asked()]).toEqual([1, 2]);
}, 240_000);
