import { expect, test } from "vitest";
import { commands } from "../../../src/fronts/cli/program.ts";
import { run } from "../../../src/fronts/cli/run.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { testIo } from "./test-io.ts";

const secret = "s3cr3t";
const key = `my ${secret}`;
const database = `postgres://postgres:pa#${secret}@db/app`;
const service = `http://user:${secret}@db/v1`;

test.each([
  ["start --token", key],
  ["start --api-key fine", key],
  ["start --control-token", key],
  ["start --tables", database],
  ["start --tables", `postgres://postgres:${secret}@db:99999/app`],
  ["start --tables", `mysql://user:${secret}@db/app`],
  ["start --tables", `postgres://postgres:12#${secret}@db/app`],
  ["start --tables", `postgres://postgres:12/${secret}@db/app`],
  ["start --tables", `postgres://postgres:12?${secret}@db/app`],
  ["start --tables", `postgres://postgres:12%${secret}@db/app`],
  ["start --record", service],
  ["start --record-tables", service],
  ["--tables", database],
  ["exec --token", key],
  ["exec --api-key", key],
  ["exec --control-token", key],
  ["record --upstream", service],
  ["record --tables-upstream", service],
  ["verify --against", service],
  ["verify --tables-against", service],
  ["verify --api-key", key],
  ["verify --token", key],
  ["export --url", service],
  ["export --control-token", key],
])("backlot %s does not show what is wrong with a secret", async (words, value) => {
  const args = [...words.split(" "), value];
  const io = testIo();
  expect(await run(args[0] === "exec" ? [...args, "--", "true"] : args, io)).toBe(2);
  const [option] = words.match(/--[a-z-]+/) ?? [];
  expect(io.err()).toMatch(
    new RegExp(`^error: option '[^']*${option} <.*' has an invalid value. Give `),
  );
  expect(io.out() + io.err()).not.toContain(secret);
});

test.each([
  ["AUTHORIZATION_TOKEN", "start", key],
  ["BACKLOT_API_KEY", "start", `fine,${key}`],
  ["BACKLOT_CONTROL_TOKEN", "start", key],
  ["BACKLOT_TABLES", "start", database],
  ["BACKLOT_RECORD", "start", service],
  ["BACKLOT_RECORD_TABLES", "start", service],
  ["AUTHORIZATION_TOKEN", "exec -- true", key],
  ["BACKLOT_TABLES", "exec -- true", `postgres://postgres:${secret}@db/app`],
  ["BACKLOT_CONTROL_TOKEN", "export", key],
  ["BACKLOT_URL", "export", service],
  ["OPENAI_API_KEY", "verify --against http://db", key],
  ["AUTHORIZATION_TOKEN", "verify --against http://db", key],
])("a wrong %s of backlot %s is not shown", async (name, words, value) => {
  const io = testIo({ env: { [name]: value } });
  expect(await run(words.split(" "), io)).toBe(2);
  expect(io.err()).toMatch(`error: environment variable ${name} `);
  expect(io.out() + io.err()).not.toContain(secret);
});

test("tells how a password is written in the URL of a database", async () => {
  const io = testIo();
  await run(["start", "--tables", database], io);
  expect(io.err()).toContain("# as %23, / as %2F, @ as %40, ? as %3F and % as %25");
});

test("does not show the value of an option that was mistyped", async () => {
  const io = testIo();
  expect(await run(["start", `--tokne=it's ${secret}`], io)).toBe(2);
  expect(io.err()).toContain("error: unknown option '--tokne'\n");
  expect(io.err()).not.toContain(secret);
});

test("takes every key, token and address for a secret", async () => {
  const definitions = await Promise.all([...commands.values()].map(({ load }) => load()));
  const options = definitions.flatMap((definition) => definition.options);
  const shown = options.filter(({ secret: isSecret }) => !isSecret);
  expect(shown.filter(({ flags }) => / <(?:t|k|url)\b/.test(flags))).toEqual([]);
});

test.each(["start", "exec", "check"])(
  "%s hides a database's password that came for fixtures",
  async (name) => {
    const { path: cwd } = await temporaryFolder();
    const io = testIo({ cwd });
    const args = [name, `postgres://user:pa#ss@${secret}@db/app`];
    expect(await run(name === "exec" ? [...args, "--", "true"] : args, io)).toBe(1);
    expect(io.err()).toContain('Cannot read the fixtures "postgres:/…@db/app"');
    expect(io.out() + io.err()).not.toContain(secret);
  },
);
