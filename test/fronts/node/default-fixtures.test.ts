import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createEmulator } from "../../../src/index.ts";
import { loadFixtures, startServer } from "../../../src/fronts/node/index.ts";
import { ObserverLog } from "../../support/observer-log.ts";
import { fetchCurl, fetchCurlLine } from "../../support/paste-curl.ts";

const folder = fileURLToPath(new URL("../../../fixtures", import.meta.url));
const readme = readFileSync(`${folder}/README.md`, "utf8");

interface Documented {
  readonly what: string;
  readonly shows: string;
  readonly curl: string;
}

/** Rows `| what | it shows | curl line |`, in the order of the README. */
const rows: readonly Documented[] = [
  ...readme.matchAll(/^\| (.+?) \| (.+) \| `(curl .*)` \|$/gm),
].map(([, what = "", shows = "", curl = ""]) => ({ what, shows, curl }));

/** Those of scripts, which begin with the script's name. */
const scriptRows = rows.flatMap(({ what, curl }) => {
  const [, name] = /^`([\w-]+)`$/.exec(what) ?? [];
  return name === undefined ? [] : [{ name, curl }];
});

/** Those of what requests ask for, with the parts of the answers that they promise. */
const requestRows = rows.flatMap(({ what, shows, curl }) =>
  what.startsWith("`")
    ? []
    : [{ what, parts: [...shows.matchAll(/`([^-`][^`]*)`/g)].map(([, part = ""]) => part), curl }],
);

/** Faults that break the connection, or make curl give up. */
const brokenOff = ["dropped-then-fine", "fault-hang", "fault-stall", "fault-reset"];

/** Serves the default set as `backlot start --speed 0` does. */
async function serve(): Promise<{ log: ObserverLog; url: string } & AsyncDisposable> {
  const log = new ObserverLog();
  const fixtures = await loadFixtures(folder);
  const emulator = await createEmulator({ fixtures, speed: 0, observer: log });
  const { url, close } = await startServer(emulator, { port: 0 });
  return { log, url, [Symbol.asyncDispose]: close };
}

/** Names of keys and fixed values, such as `kind` and `stall`, of whatever a JSON Schema describes. */
function* namesInSchema(schema: unknown): Generator<string, void> {
  if (typeof schema !== "object" || schema === null) return;
  for (const [key, value] of Object.entries(schema)) {
    if (key === "properties") yield* Object.keys(value);
    if (key === "enum") yield* value;
    if (key !== "description") yield* namesInSchema(value);
  }
}

/** Keys and texts of a JSON value. */
function* namesInUse(value: unknown): Generator<string, void> {
  if (typeof value === "string") yield value;
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield* Object.keys(value);
  for (const item of Object.values(value)) yield* namesInUse(item);
}

test("the default set has what it promises: rows, models and scripts", async () => {
  const { tables, models, scripts } = await loadFixtures(folder);
  const sizes = Object.fromEntries(
    tables.map(({ schema, rows: { length } }) => [schema.name, length]),
  );
  expect(sizes["users"]).toBeGreaterThanOrEqual(100);
  expect(sizes["products"]).toBeGreaterThanOrEqual(60);
  expect(sizes["orders"]).toBeGreaterThanOrEqual(200);
  expect(models.length).toBeGreaterThanOrEqual(4);
  expect(models.some(({ kind }) => kind === "embedding")).toBe(true);
  expect(models.some(({ variant }) => variant !== undefined)).toBe(true);
  expect(scriptRows.map(({ name }) => name).toSorted()).toEqual(
    scripts.map(({ name }) => name).toSorted(),
  );
});

test("the default set shows every key that scripts have, every kind of them, and one distribution of times", () => {
  const { $defs } = JSON.parse(readFileSync(`${folder}/../fixtures.schema.json`, "utf8"));
  const files = readdirSync(`${folder}/chats`).map((file) => `${folder}/chats/${file}`);
  const used = new Set(
    files.flatMap((file) => [...namesInUse(JSON.parse(readFileSync(file, "utf8")))]),
  );
  const known = new Set(namesInSchema([$defs.script, $defs.reply, $defs.textMatcher]));
  expect(known.size).toBeGreaterThan(60);
  const otherDistributions = ["median", "sigma", "mean", "stdDev", "exponential", "min", "max"];
  // What is so without being said.
  const defaults = ["match", "function", "pieces"];
  const unused = [...known].filter((name) => !used.has(name));
  expect(unused.toSorted()).toEqual([...otherDistributions, ...defaults].toSorted());
});

test("every curl line of the default set's README is answered by the script that it is for", async () => {
  await using server = await serve();
  for (const [index, { name, curl }] of scriptRows.entries()) {
    // At full speed nothing comes later than that.
    const line = curl.replace("--max-time 2", "--max-time 0.5");
    const { text, error } = await fetchCurlLine(line.replace("http://127.0.0.1:4010", server.url));
    const { answeredBy } = await server.log.settled(index + 1);
    expect(answeredBy, curl).toMatch(new RegExp(`^script "${name}"`));
    // What happens by chance may go either way.
    if (name === "fault-in-chunks") continue;
    expect(error !== undefined, name).toBe(brokenOff.includes(name));
    expect(text === "", name).toBe(["dropped-then-fine", "fault-hang"].includes(name));
  }
});

test("what requests ask for is in the answers that the default set's README tells", async () => {
  await using server = await serve();
  expect(requestRows.length).toBeGreaterThan(5);
  for (const { what, parts, curl } of requestRows) {
    const printed = await fetchCurl(curl.replace("http://127.0.0.1:4010", server.url));
    expect(parts.length, what).toBeGreaterThan(0);
    for (const part of parts) expect(printed, what).toContain(part);
  }
});
