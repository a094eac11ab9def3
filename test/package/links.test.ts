import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { anchorsOf, linksOf } from "../support/markdown-links.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folders = ["bench", "docs", "examples", "fixtures", "src", "test"];

/** Every page of the project. */
const pages = [
  ...readdirSync(root).filter((name) => name.endsWith(".md") || name === "llms.txt"),
  ...folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".md") && !name.includes("node_modules"))
      .map((name) => join(folder, name)),
  ),
];

function read(page: string): string {
  return readFileSync(join(root, page), "utf8");
}

/** What is wrong with a link of a page; undefined: nothing. */
function problemOf(page: string, link: string): string | undefined {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? page : normalize(join(dirname(page), decodeURIComponent(path)));
  if (!existsSync(join(root, target))) return `${page}: ${link}: there is no such file`;
  if (anchor === undefined) return undefined;
  const isPage = target.endsWith(".md") && statSync(join(root, target)).isFile();
  if (isPage && anchorsOf(read(target)).has(anchor)) return undefined;
  return `${page}: ${link}: there is no such heading`;
}

test("each page of the project is looked at", () => {
  expect(pages).toEqual(
    expect.arrayContaining(["README.md", "docs/README.md", "src/ARCHITECTURE.md"]),
  );
  expect(pages.flatMap((page) => linksOf(read(page))).length).toBeGreaterThan(100);
});

test("links between the pages lead to files, and to headings", () => {
  const problems = pages.flatMap((page) =>
    linksOf(read(page)).flatMap((link) => problemOf(page, link) ?? []),
  );
  expect(problems).toEqual([]);
});

test("every page of the docs stands in their map", () => {
  const named = linksOf(read("docs/README.md")).map((link) => link.replace(/#.*/, ""));
  const missing = readdirSync(join(root, "docs")).filter(
    (name) => name.endsWith(".md") && name !== "README.md" && !named.includes(name),
  );
  expect(missing).toEqual([]);
});

test("the page for coding agents fits into 12 KB, and llms.txt begins with it", () => {
  expect(statSync(join(root, "docs/for-agents.md")).size).toBeLessThanOrEqual(12_000);
  expect(linksOf(read("llms.txt"))[0]).toBe("docs/for-agents.md");
});

test.each([
  ["## Two words", "two-words"],
  ["## The `openai` profile", "the-openai-profile"],
  ["### `GET /tables/{name}`, and more", "get-tablesname-and-more"],
  ["# [A link](x.md) in *it*", "a-link-in-it"],
  ["## snake_case stays", "snake_case-stays"],
  ["## Same\n## Same", "same-1"],
  ["```\n# a comment\n```\n## After", "after"],
])("the heading %j has the anchor %j", (markdown, anchor) => {
  expect([...anchorsOf(markdown)]).toContain(anchor);
  expect([...anchorsOf(markdown)]).not.toContain("a-comment");
});
