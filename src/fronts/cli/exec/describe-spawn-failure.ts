import { statSync } from "node:fs";
import { resolve } from "node:path";
import { exists } from "../../node/fixture-place.ts";

/** Why a command did not run, and the exit code that shells have for it. */
export interface SpawnFailure {
  readonly message: string;
  readonly exitCode: number;
}

const cannotRun = 126;
const notFound = 127;

/** Tells a command that is not there from one that cannot run. Throws what is no failure to start one. */
export function describeSpawnFailure(
  error: unknown,
  { name, cwd }: { readonly name: string; readonly cwd: string },
): SpawnFailure {
  if (!(error instanceof Error) || !("code" in error)) throw error;
  const start = `Cannot run ${JSON.stringify(name)}:`;
  const isPath = /[\\/]/.test(name);
  switch (error.code) {
    case "ENOENT":
      if (isPath && exists(name, cwd)) {
        const message = `${start} the program that its first line names is not there. Install that, or correct the line.`;
        return { message, exitCode: cannotRun };
      }
      return { message: `${start} ${adviceToFind(name, isPath)}`, exitCode: notFound };
    case "EACCES": {
      const reason = isFolder(name, cwd)
        ? "it is a folder. Name a program in it."
        : "the system does not allow it. Make it executable, or name the program that runs it first.";
      return { message: `${start} ${reason}`, exitCode: cannotRun };
    }
    case "ENOTDIR": {
      const message = `${start} a part of its path is a file. Check the path, which starts from this folder.`;
      return { message, exitCode: cannotRun };
    }
    default:
      return {
        message: `${start} ${error.message}. Try it without backlot exec.`,
        exitCode: cannotRun,
      };
  }
}

function isFolder(name: string, cwd: string): boolean {
  return statSync(resolve(cwd, name), { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function adviceToFind(name: string, isPath: boolean): string {
  if (/\s/.test(name)) {
    return "there is no command of that name. Write its words apart, or name a shell: -- sh -c '…'.";
  }
  if (isPath) return "there is no such file. Check the path, which starts from this folder.";
  return `there is no such command on the PATH. Check the name; one of a package that is installed here needs npx: -- npx ${name}.`;
}
