import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { minutes } from "../compat/scratch.ts";
import { type Binary, type BinaryPlace, installedBinary } from "./installed-binary.ts";
import { askWorkerd } from "./workerd.ts";

/** A program and its first arguments. */
export type Command = readonly [program: string, ...args: string[]];

/** Something that runs the package. */
export interface Runtime {
  readonly name: string;
  readonly version: string;
  /** Asks the emulator there, and gives what it answers. */
  readonly transcript: () => Promise<readonly string[]>;
  /** How `backlot` is run there, where there are processes. */
  readonly command?: { readonly run: Command; readonly cwd: string };
}

const run = promisify(execFile);
const bin = "node_modules/backlot/dist/command/backlot.js";

const places = {
  Bun: { scope: "@oven", prefix: "bun-", path: "bin/bun" },
  Deno: { scope: "@deno", prefix: "", path: "deno" },
  workerd: { scope: "@cloudflare", prefix: "workerd-", path: "bin/workerd" },
} as const satisfies Record<string, BinaryPlace>;

/** This Node first, then each runtime that npm has for this machine. Says which it has not. */
export function runtimes(project: string, installed: string): readonly [Runtime, ...Runtime[]] {
  const found = (name: keyof typeof places): readonly Binary[] => {
    const binary = installedBinary(join(installed, "node_modules"), places[name]);
    if (binary === undefined) console.warn(`NOT CHECKED: npm has no ${name} that runs here.`);
    return binary === undefined ? [] : [binary];
  };
  const processOf = (name: string, version: string, printing: Command, command: Command) => ({
    name,
    version,
    transcript: () => printed(project, printing),
    command: { run: [...command, bin] as const, cwd: project },
  });
  const node = process.execPath;
  return [
    processOf("Node", process.versions.node, [node], [node]),
    ...found("Bun").map(({ path, version }) => processOf("Bun", version, [path], [path])),
    // Without any permission, which the command cannot do without.
    ...found("Deno").map(({ path, version }) =>
      processOf("Deno", version, [path, "run", "--no-prompt"], [path, "run", "--allow-all"]),
    ),
    ...found("workerd").map(({ path, version }) => ({
      name: "workerd",
      version,
      transcript: () => askWorkerd(path, project),
    })),
  ];
}

async function printed(project: string, [program, ...args]: Command): Promise<readonly string[]> {
  const env = { ...process.env, DENO_DIR: join(project, ".deno"), DENO_NO_UPDATE_CHECK: "1" };
  const options = { cwd: project, env, timeout: minutes };
  return JSON.parse((await run(program, [...args, "print.mjs"], options)).stdout);
}
