import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { allCommands, readIdly } from "../../scripts/reference/command-line.ts";
import { referencePages } from "../../scripts/reference/pages.ts";
import { readPlainSettings } from "../../src/core/settings/settings.ts";
import { examples } from "../../src/fronts/cli/help-text.ts";
import { startOptions } from "../../src/fronts/cli/flags.ts";
import { anchorsOf, linksOf } from "../support/markdown-links.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const pages = await referencePages();

test("the map of the docs names every reference page that a build makes, and no other", () => {
  const map = readFileSync(`${root}/docs/README.md`, "utf8");
  const [, section = ""] = map.split("### Reference pages in the package");
  const named = [...section.matchAll(/^\| `([\w-]+\.md)`/gm)].map(([, name]) => name);
  expect(named).toEqual(expect.arrayContaining(Object.keys(pages)));
  expect(named).toHaveLength(Object.keys(pages).length);
});

test.each(Object.entries(pages))("links of the reference page %s lead to headings", (_, text) => {
  const broken = linksOf(text).filter((link) => {
    const [path = "", anchor] = link.split("#");
    const name = path.replace("../../", "");
    const target = path === "" ? text : (pages[path] ?? readFileSync(`${root}/${name}`, "utf8"));
    return anchor !== undefined && !anchorsOf(target).has(anchor);
  });
  expect(broken).toEqual([]);
});

test("each key of the config that an option is said to have is one of the fixture format", () => {
  const keys = startOptions.flatMap(({ config = [] }) => config);
  const page = pages["fixture-format.md"] ?? "";
  expect(keys.length).toBeGreaterThan(10);
  expect(keys.filter((key) => !page.includes(`| \`${key}\` `))).toEqual([]);
});

/** The command lines that help shows as examples, without what they mean. */
function examplesIn(help: string): string[] {
  const lines = help.matchAll(/^ {2}backlot ?(.*?)(?: {2,}.*| \| .*)?$/gm);
  return [...lines].map(([, words = ""]) => words.replaceAll("<url>", "http://127.0.0.1/v1"));
}

const helps = [...(await allCommands()).values()].map(({ help = "" }) => help);

test.each([examples, ...helps].flatMap(examplesIn))(
  "help's example is read: %s",
  async (example) => {
    const words = example.split(" ").filter((word) => word !== "");
    expect(await readIdly(words)).toHaveProperty("options");
  },
);

/** A number that a file of the source gives a name. */
function numberIn(file: string, name: string): number {
  const source = readFileSync(`${root}/src/${file}`, "utf8");
  const [, factors = ""] =
    new RegExp(`const ${name}(?:: number)? = ([\\d_ *]+);`).exec(source) ?? [];
  return factors.split("*").reduce((product, one) => product * Number(one.replaceAll("_", "")), 1);
}

test.each([
  ["body of a control call", "core/control/read-call.ts", "largestControlBody"],
  ["request head", "fronts/node/server.ts", "largestHead"],
  ["pattern of `like`", "core/tables/document/query-parameters.ts", "longestPattern"],
  ["session id", "core/emulator/routes.ts", "longestSessionId"],
  ["named snapshots", "core/emulator/named-snapshots.ts", "mostSnapshots"],
  ["planned delay", "core/chat/delay.ts", "longestDelayMs"],
  ["one chat answer, all choices together", "core/chat/complete-chat.ts", "longestAnswer"],
  [
    "rows generated at start, per table",
    "core/fixture-set/format/table-format.ts",
    "mostGenerated",
  ],
  ["recorded body", "fronts/node/upstream/recording-upstream.ts", "mostBytes"],
  ["match of a redaction rule", "extras/recordings/replay/rule-matches.ts", "longest"],
  [
    "secrets replaced in one exchange",
    "extras/recordings/redaction/numbered-placeholders.ts",
    "mostEverywhere",
  ],
])("the page of limits gives the size of: %s", (what, file, name) => {
  expect(toldOf(what)).toBe(numberIn(file, name));
});

test.each([
  ["request body", "bodyLimit"],
  ["sessions", "maxSessions"],
  ["journal of a session", "journalSize"],
] as const)("the page of limits gives the default of: %s", (what, name) => {
  expect(toldOf(what)).toBe(readPlainSettings({}, {})[name]);
});

test("the page of errors names every code that the source answers with", () => {
  const page = readFileSync(`${root}/docs/errors.md`, "utf8");
  const files = readdirSync(`${root}/src`, { recursive: true, encoding: "utf8" });
  const codes = files
    .filter((name) => name.endsWith(".ts"))
    .flatMap((name) => [
      ...readFileSync(`${root}/src/${name}`, "utf8").matchAll(/\bcode: "([a-z_]+)"/g),
    ])
    .map(([, name = ""]) => name);
  expect(codes.length).toBeGreaterThan(20);
  const named = new Set(page.match(/(?<=[`"])[a-z_]+(?=[`"])/g));
  expect(codes.filter((name) => !named.has(name))).toEqual([]);
});

/** How much of something the page of limits says there can be. */
function toldOf(what: string): number {
  const page = readFileSync(`${root}/docs/limits.md`, "utf8");
  const [, told = ""] =
    page
      .split("\n")
      .find((line) => line.startsWith(`| ${what} `))
      ?.split(" | ") ?? [];
  return Number(told.replaceAll(",", "").split(" ")[0]);
}
