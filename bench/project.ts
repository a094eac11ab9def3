/** A user's project that has the package, msw and vitest. Needs a build. */
import { cpSync, mkdtempSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Makes it in a folder of its own, with a copy of `files`. */
export function makeProject(files: string): string {
  const project = mkdtempSync(join(tmpdir(), "backlot-bench-project-"));
  cpSync(files, project, { recursive: true });
  const modules = join(project, "node_modules");
  // As it is installed: what is linked in, vitest would transform.
  for (const part of ["dist", "package.json"]) {
    cpSync(join(root, part), join(modules, "backlot", part), { recursive: true });
  }
  for (const name of ["msw", "vitest"]) {
    symlinkSync(join(root, "node_modules", name), join(modules, name));
  }
  return project;
}
