import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import { pack } from "../../scripts/compat/scratch.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The packed package: the one that `TEST_TARBALL` names, or one that is packed now. */
    readonly tarball: string;
    /** A folder where it is installed, and nothing else. */
    readonly installed: string;
    /** The same with the packages that a user's tests have. */
    readonly project: string;
  }
}

const root = fileURLToPath(new URL("../..", import.meta.url));
const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];

/** What a project has that comes from another tool. */
const otherTools = ["json-server", "@copilotkit/aimock"];

/** Packs and installs once for all tests of the package. The user has what is installed for the project itself. */
export default function setup(vitest: TestProject): () => void {
  return provideProject(vitest, root, ["msw", "vite", "vitest", "openai"]);
}

/** Packs and installs for a user who also has these packages, which are installed in a folder. */
export function provideProject(
  vitest: Pick<TestProject, "provide">,
  home: string,
  packages: readonly string[],
): () => void {
  const scratch = mkdtempSync(join(tmpdir(), "backlot-package-"));
  const installed = join(scratch, "installed");
  const project = join(scratch, "project");
  // The matrix packs once for all its runs.
  const tarball = process.env["TEST_TARBALL"] ?? pack(scratch);
  install(tarball, installed);
  cpSync(installed, project, { recursive: true, verbatimSymlinks: true });
  for (const name of packages) link(join(home, "node_modules"), project, name);
  for (const name of otherTools) link(join(root, "node_modules"), project, name);
  linkCommands(join(home, "node_modules/.bin"), join(project, "node_modules/.bin"));
  vitest.provide("tarball", tarball);
  vitest.provide("installed", installed);
  vitest.provide("project", project);
  return () => rmSync(scratch, { recursive: true, force: true });
}

function link(from: string, project: string, name: string): void {
  const place = join(project, "node_modules", name);
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(join(from, name), place);
}

/** The commands of those packages, such as `vitest`, in the versions that the user has. */
function linkCommands(from: string, to: string): void {
  for (const name of readdirSync(from)) {
    if (!existsSync(join(to, name))) symlinkSync(realpathSync(join(from, name)), join(to, name));
  }
}

function install(tarball: string, folder: string): void {
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const args = ["install", tarball, "--prefer-offline", ...quiet];
  execFileSync("npm", args, { cwd: folder });
}
