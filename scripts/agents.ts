/**
 * Runs the scripts of `examples/agents` beside real agent programs, without a terminal: `npm run check -- agents`. It
 * installs the newest of each into a temporary folder, a gigabyte in all, for which Node 22 or newer is needed. Behind
 * `--` may stand names of programs or examples.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { parse } from "jsonc-parser";
import { createEmulator, type JournalEntry } from "../src/index.ts";
import { startServer } from "../src/fronts/node/index.ts";
import { agentExamples, type Example } from "./agents/examples.ts";
import { type Call, type Program, programs } from "./agents/programs.ts";
import { installNode, nodes } from "./compat/nodes.ts";
import { inScratchFolder, makeProject, minutes, root } from "./compat/scratch.ts";

type Running = readonly [program: Program, example: Example];

/** The scripts of an example, with the calls as the program makes them. */
function scriptsFor([program, { folder }]: Running, pages: string): string {
  const text = readFileSync(join(root, "examples/agents", folder, "fixtures.jsonc"), "utf8");
  const document: unknown = parse(text, [], { allowTrailingComma: true });
  return JSON.stringify(document, (_key, value: unknown) => {
    const call = callIn(value);
    if (call?.name === "read_file") return program.read(join(pages, call.arguments["path"] ?? ""));
    if (call?.name === "task") return program.handOver?.(call.arguments["prompt"] ?? "");
    return value;
  });
}

function callIn(value: unknown): Call | undefined {
  const isCall = typeof value === "object" && value !== null && "name" in value;
  return isCall && "arguments" in value ? (value as Call) : undefined;
}

/** What is wrong when a program works through an example; nothing if all is well. */
async function problemsOf(running: Running, scratch: string, path: string): Promise<string[]> {
  const [program, example] = running;
  const folder = join(scratch, `${program.name}-${example.folder}`.replaceAll(" ", "-"));
  const home = join(folder, "home");
  mkdirSync(home, { recursive: true });
  for (let page = 1; page <= 5; page++) {
    writeFileSync(join(folder, `page-${page}.txt`), `What page ${page} says.\n`);
  }
  const emulator = await createEmulator({
    fixtures: JSON.parse(scriptsFor(running, folder)),
    strict: true,
    profiles: { chat: "openai" },
  });
  const server = await startServer(emulator, { host: "127.0.0.1", port: 0 });
  try {
    const baseUrl = `${server.url}/v1`;
    program.configure({ folder, baseUrl });
    const environment = { ...environmentOf(baseUrl, home), PATH: path };
    const problems: string[] = [];
    for (const [turn, [prompt, answer]] of example.asked.entries()) {
      const said = await run(program.ask(prompt, turn > 0), folder, environment);
      if (!said.includes(answer))
        problems.push(`"${prompt}" ended with ${said.trim().slice(-1_500)}`);
    }
    return [...problems, ...wrongAnswers(example, emulator.journal.list())];
  } finally {
    await server.close();
  }
}

/** What every program needs to know. Each keeps what it writes below a home of its own. */
function environmentOf(baseUrl: string, home: string): NodeJS.ProcessEnv {
  return {
    HOME: home,
    CODEX_HOME: home,
    OPENAI_BASE_URL: baseUrl,
    OPENAI_API_KEY: "local-key",
    OPENAI_MODEL: "atlas",
    NO_COLOR: "1",
  };
}

/** What a command says until it ends. */
async function run(
  [command, ...args]: readonly [string, ...string[]],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const timer = setTimeout(() => child.kill("SIGKILL"), 3 * minutes);
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => (said += text));
  }
  await once(child, "close");
  clearTimeout(timer);
  return said;
}

/**
 * Scripts that answered too few of an example's requests, and requests that were refused for their form. A program may
 * ask for more by itself, such as a title: what no script knows gets 404, and a script that counts steps answers twice.
 */
function wrongAnswers({ scripts }: Example, entries: readonly JournalEntry[]): string[] {
  const refused = entries.filter(
    ({ status }) => status === 400 || status === 401 || status === 405,
  );
  return [
    ...refused.map(
      ({ path, status, response }) => `${path} got ${status}: ${JSON.stringify(response?.body)}`,
    ),
    ...Object.entries(scripts).flatMap(([name, count]) => {
      const by = `script "${name}"`;
      const seen = entries.filter(({ answeredBy }) => answeredBy?.startsWith(by) === true).length;
      return seen >= count ? [] : [`${by} answered ${seen} times, not ${count}`];
    }),
  ];
}

/** The folder of a package's binaries, and of the Node that runs them. */
function pathOf(installed: string, node: string): string {
  const binaries = join(installed, "node_modules", ".bin");
  // OpenCode's own launcher is put in its place by a script; the binary for this machine lies in a package beside it.
  const native = readdirSync(join(installed, "node_modules"))
    .filter((name) => /^opencode-\w+-\w+$/.test(name))
    .map((name) => join(installed, "node_modules", name, "bin"));
  return [...native, dirname(node), binaries, process.env["PATH"]].join(delimiter);
}

const chosen = process.argv.slice(2);
const isChosen = (names: readonly string[]): boolean =>
  chosen.length === 0 || names.some((name) => chosen.includes(name));

await inScratchFolder("agents", async (scratch) => {
  // Qwen Code connects to nothing under Node 26.
  const node = installNode(nodes.between.at(-1) ?? nodes.newest, scratch);
  const installed = join(scratch, "programs");
  makeProject(
    installed,
    programs.map(({ package: name }) => name),
  );
  const path = pathOf(installed, node);
  for (const program of programs) {
    for (const example of agentExamples) {
      if (!isChosen([program.name, example.folder])) continue;
      if (example.handsOver === true && program.handOver === undefined) continue;
      const problems = await problemsOf([program, example], scratch, path);
      console.log(`${program.name.padEnd(12)}${example.folder.padEnd(22)}${problems[0] ?? "ok"}`);
      for (const problem of problems.slice(1)) console.log(problem);
      if (problems.length > 0) process.exitCode = 1;
    }
  }
});
