import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { defaultPort } from "../../src/core/settings/settings.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** What people read and copy: pages, the container, the example. */
function shownFiles(): readonly string[] {
  const below = ["docs", "examples", "fixtures"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(?:md|ts|svg)$/.test(name) && !name.includes("node_modules"))
      .map((name) => `${folder}/${name}`),
  );
  return ["README.md", "compose.yaml", ...below];
}

test("every page that shows an address of Backlot shows the default port", () => {
  // Those beside it are the ports of further processes.
  const shown = /(?:\bport[ =:]*|:)(401\d)\b/g;
  const others = shownFiles().filter((name) => {
    const ports = [...readFileSync(join(root, name), "utf8").matchAll(shown)];
    return ports.length > 0 && ports.every(([, port]) => Number(port) !== defaultPort);
  });
  expect(others).toEqual([]);
});
