import { win32 } from "node:path";
import { exists } from "../../node/fixture-place.ts";

/** What is given to the system to run. */
export interface Program {
  readonly file: string;
  readonly args: readonly string[];
  /** Whether the arguments are quoted already. */
  readonly verbatim: boolean;
}

/** Where a command is looked for. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Whether a file is there. */
  readonly isThere?: (path: string) => boolean;
}

/**
 * A command as Windows can run it. Of itself it runs `.exe` files only; `npx`, and whatever npm installs, is a batch
 * file, which needs `cmd.exe`. It comes to the same as cross-spawn 7.0.6, but for several backslashes in front of a
 * quote, of which that loses one.
 */
export function windowsProgram(
  { name, args }: { readonly name: string; readonly args: readonly string[] },
  surroundings: Surroundings,
): Program {
  const found = find(name, surroundings);
  if (found === undefined || !/\.(?:cmd|bat)$/i.test(found)) {
    return { file: found ?? name, args, verbatim: false };
  }
  // What npm installs hands its arguments to one more command, which reads them anew.
  const readings = /node_modules[\\/]\.bin[\\/][^\\/]+\.cmd$/i.test(found) ? 2 : 1;
  const words = [escapeMeta(win32.normalize(name)), ...args.map((arg) => quote(arg, readings))];
  return {
    file: variable(surroundings.env, "COMSPEC") ?? "cmd.exe",
    args: ["/d", "/s", "/c", `"${words.join(" ")}"`],
    verbatim: true,
  };
}

/** The file of a command: in the working directory, else on the path, with each of the usual endings. */
function find(name: string, { env, cwd, isThere }: Surroundings): string | undefined {
  const path = (variable(env, "PATH") ?? "").split(";").filter((folder) => folder !== "");
  const folders = /[\\/]/.test(name) ? [cwd] : [cwd, ...path];
  const endings = (variable(env, "PATHEXT") ?? ".EXE;.CMD;.BAT;.COM").split(";");
  const names = [
    ...(win32.extname(name) === "" ? [] : [name]),
    ...endings.map((end) => name + end),
  ];
  return folders
    .flatMap((folder) => names.map((candidate) => win32.resolve(folder, candidate)))
    .find((file) => (isThere === undefined ? exists(file, cwd) : isThere(file)));
}

/** Windows does not tell capital letters from small ones in the names of variables. */
function variable(env: Surroundings["env"], name: string): string | undefined {
  return Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1];
}

function escapeMeta(text: string): string {
  return text.replaceAll(/[()\][%!^"`<>&|;, *?]/g, "^$&");
}

/** An argument for `cmd.exe`, which reads it so many times. https://qntm.org/cmd */
function quote(arg: string, readings: number): string {
  const quoted = `"${arg.replaceAll(/(\\*)"/g, String.raw`$1$1\"`).replace(/(\\*)$/, "$1$1")}"`;
  return readings === 1 ? escapeMeta(quoted) : escapeMeta(escapeMeta(quoted));
}
