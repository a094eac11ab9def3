import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { linksOf } from "../support/markdown-links.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The files that npm packs. */
function packedFiles(): readonly string[] {
  const text = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    shell: process.platform === "win32",
  });
  const [{ files }]: [{ files: readonly { path: string }[] }] = JSON.parse(text);
  return files.map(({ path }) => path);
}

test("links of the packed pages lead to packed files", () => {
  const packed = packedFiles();
  expect(packed).toEqual(
    expect.arrayContaining(["docs/README.md", "dist/reference/fixture-format.md"]),
  );
  const problems = packed
    .filter((page) => page.endsWith(".md") || page === "llms.txt")
    .flatMap((page) =>
      linksOf(readFileSync(join(root, page), "utf8")).flatMap((link) => {
        const [path = ""] = link.split("#");
        const target = normalize(join(dirname(page), decodeURIComponent(path)));
        // Pictures stay in the repository: they weigh more than the rest of the docs.
        if (target.startsWith("docs/pictures/")) return [];
        return path === "" || packed.includes(target) ? [] : [`${page}: ${link}`];
      }),
    );
  expect(problems).toEqual([]);
});
