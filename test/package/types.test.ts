import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, inject, onTestFinished, test } from "vitest";
import { makeProject } from "../../scripts/compat/scratch.ts";
import { typeErrors, withoutPeers, withPeers, writeUser } from "../support/type-errors.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A project that has the package and what its user's programs have beside it. */
function makeUser(files: readonly string[] = withPeers): string {
  const folder = mkdtempSync(join(tmpdir(), "backlot-types-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(inject("installed"), folder, { recursive: true, verbatimSymlinks: true });
  const peers = files === withPeers ? ["msw", "vite", "vitest"] : [];
  for (const name of [...peers, "@types/node"]) {
    const place = join(folder, "node_modules", name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(join(root, "node_modules", name), place);
  }
  writeUser(folder, files);
  return folder;
}

// Those between them, and how bundlers find modules: `npm run check -- types`.
test("users' programs have no type errors under the newest TypeScript, libraries included", () => {
  const typescript = join(root, "node_modules/typescript");
  expect(typeErrors(typescript, makeUser(), { resolution: "nodenext" })).toEqual([]);
});

test("a program without msw and vitest has no type errors, libraries included", () => {
  const typescript = join(root, "node_modules/typescript");
  const user = makeUser(withoutPeers);
  expect(typeErrors(typescript, user, { resolution: "nodenext" })).toEqual([]);
});

test("users' programs have no type errors under TypeScript 5.4", () => {
  const user = makeUser();
  const compiler = join(user, "compiler");
  makeProject(compiler, ["typescript@5.4.5"]);
  const typescript = join(compiler, "node_modules/typescript");
  const errors = typeErrors(typescript, user, { resolution: "nodenext", skipLibCheck: true });
  expect(errors).toEqual([]);
});
