/**
 * Follows docs/tutorial.md in an empty folder, command by command and file by file: `npm run check -- tutorial`. It fails at the first
 * thing that is not as the page says. `--package <folder or tarball>` takes another package than that of this checkout.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { freePort } from "./scale/ports.ts";
import { followTutorial } from "./tutorial/follow.ts";
import { type Step, TutorialError } from "./tutorial/read-steps.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const page = "docs/tutorial.md";
const { values } = parseArgs({ options: { package: { type: "string", default: root } } });
const scratch = mkdtempSync(join(tmpdir(), "backlot-tutorial-"));

try {
  const tarball = pack(resolve(values.package));
  const folder = join(scratch, "empty");
  mkdirSync(folder);
  const started = Date.now();
  await followTutorial(readFileSync(join(root, page), "utf8"), {
    folder,
    port: await freePort(),
    inPlaceOf: (command) =>
      command.startsWith("npm install") ? command.replace(/ backlot\b/, ` ${tarball}`) : command,
    tell: (step) => console.log(`${page}:${step.line}  ${told(step)}`),
  });
  console.log(`\n${page} is true, in ${Math.round((Date.now() - started) / 1000)} s.`);
} catch (error) {
  if (!(error instanceof TutorialError)) throw error;
  console.error(`\n${page}:${error.line}: ${error.message}`);
  process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** The tarball of a package's folder. This checkout is built first; another folder is taken as it is. */
function pack(from: string): string {
  if (!statSync(from).isDirectory()) return from;
  const scripts = from === resolve(root) ? [] : ["--ignore-scripts"];
  const args = ["pack", "--pack-destination", scratch, "--loglevel=error", ...scripts];
  execFileSync("npm", args, { cwd: from });
  return join(scratch, readdirSync(scratch).find((name) => name.endsWith(".tgz")) ?? "");
}

function told(step: Step): string {
  switch (step.kind) {
    case "command":
      return `$ ${step.command}`;
    case "server":
      return `second terminal: $ ${step.command}`;
    case "file":
      return `saves ${step.path}`;
    case "edit":
      return `changes ${step.path}`;
    case "output":
      return `sees ${step.lines.length} lines`;
    case "server output":
      return `second terminal: sees ${step.lines.length} lines`;
    case "stop server":
      return "second terminal: Ctrl-C";
  }
}
