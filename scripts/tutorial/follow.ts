import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Comparison, compareWhole, linesOf } from "./compare-output.ts";
import { type Step, type StepOf, TutorialError, readSteps } from "./read-steps.ts";
import { SecondTerminal } from "./second-terminal.ts";
import { readersEnvironment, runInShell } from "./terminal.ts";

/** The port that the tutorial tells of. */
const shownPort = "4010";
const noNetwork = new URL("no-network.mjs", import.meta.url).href;

/** How a tutorial is followed. */
export interface Follow {
  /** Where it begins: an empty folder. */
  readonly folder: string;
  /** What stands in for port 4010, in commands, files and outputs. */
  readonly port: number;
  /** What is run in place of a command, such as one that installs another package. */
  readonly inPlaceOf: (command: string) => string;
  /** Is told each step before it is done. */
  readonly tell: (step: Step) => void;
}

/** Does what a tutorial says and compares what is seen. Rejects with a `TutorialError` at the first thing that is not so. */
export async function followTutorial(markdown: string, follow: Follow): Promise<void> {
  const reader = new Reader(follow);
  try {
    for (const step of readSteps(markdown)) {
      follow.tell(step);
      await reader.do(step);
    }
  } finally {
    reader.leave();
  }
}

/** Somebody before two terminals and an editor. */
class Reader {
  readonly #follow: Follow;
  #folder: string;
  #server: SecondTerminal | undefined;
  /** What the commands of one block printed. */
  #printed = "";

  constructor(follow: Follow) {
    this.#follow = follow;
    this.#folder = follow.folder;
  }

  async do(step: Step): Promise<void> {
    switch (step.kind) {
      case "command":
        return this.#run(step);
      case "output":
        return asShown(step, compareWhole(step.lines, linesOf(this.#printed)));
      case "file":
        return this.#write(step.path, step.text);
      case "edit":
        return this.#edit(step);
      case "server":
        return this.#start(step.command);
      case "server output": {
        if (this.#server === undefined)
          throw new TutorialError(step.line, "No server was started.");
        return asShown(step, await this.#server.shows(step.lines));
      }
      case "stop server":
        if ((await this.#server?.interrupt()) !== true) {
          throw new TutorialError(step.line, "Ctrl-C does not end the server.");
        }
    }
  }

  leave(): void {
    this.#server?.kill();
  }

  async #run({ line, command, mode, first }: StepOf<"command">): Promise<void> {
    const env = mode === "offline" ? { NODE_OPTIONS: `--import=${noNetwork}` } : {};
    const { output, code, folder } = await runInShell(
      this.#follow.inPlaceOf(this.#withPort(command)),
      { folder: this.#folder, env: readersEnvironment(env) },
    );
    this.#folder = folder;
    this.#printed = (first ? "" : this.#printed) + this.#asInPage(endedLine(output));
    if ((code !== 0) !== (mode === "fails")) {
      throw new TutorialError(line, `It ends with the exit code ${code} and prints:\n${output}`);
    }
  }

  #start(command: string): void {
    this.#server = new SecondTerminal(this.#withPort(command), {
      folder: this.#folder,
      env: readersEnvironment({ BACKLOT_PORT: String(this.#follow.port) }),
      asInPage: (output) => this.#asInPage(output),
    });
  }

  async #write(path: string, text: string): Promise<void> {
    const file = join(this.#folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, this.#withPort(text));
  }

  async #edit({ line, path, from, to }: StepOf<"edit">): Promise<void> {
    const text = this.#asInPage(await readFile(join(this.#folder, path), "utf8"));
    const [before, after, ...others] = text.split(from);
    if (before === undefined || after === undefined || others.length > 0) {
      const times = after === undefined ? "not" : "more than once";
      throw new TutorialError(line, `What it changes is ${times} in ${path}:\n${from}`);
    }
    await this.#write(path, `${before}${to}${after}`);
  }

  #withPort(text: string): string {
    return text.replaceAll(`:${shownPort}`, `:${this.#follow.port}`);
  }

  #asInPage(text: string): string {
    return text.replaceAll(`:${this.#follow.port}`, `:${shownPort}`);
  }
}

/** What is printed next stands on a line of its own. */
function endedLine(output: string): string {
  return output === "" || output.endsWith("\n") ? output : `${output}\n`;
}

function asShown({ line }: Step, result: Comparison): void {
  if ("taken" in result) return;
  throw new TutorialError(
    line + result.at,
    `The page shows\n${indented(result.shown)}\nand this came:\n${indented(result.printed || "(nothing)")}`,
  );
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, "    ");
}
