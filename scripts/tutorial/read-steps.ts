import { type CodeBlock, codeBlocks } from "../../test/support/markdown-blocks.ts";

/** What a reader of the tutorial does or sees; `line` is where the page says so, from 1. */
export type Step =
  /** A command in the first terminal. `offline`: without a network; `fails`: its exit code is not 0. */
  | {
      readonly kind: "command";
      readonly line: number;
      readonly command: string;
      readonly mode: "" | "fails" | "offline";
      /** Whether it is the first of its block. */
      readonly first: boolean;
    }
  | { readonly kind: "file"; readonly line: number; readonly path: string; readonly text: string }
  | {
      readonly kind: "edit";
      readonly line: number;
      readonly path: string;
      readonly from: string;
      readonly to: string;
    }
  /** What the commands of the block before print, all of them together. */
  | { readonly kind: "output"; readonly line: number; readonly lines: readonly string[] }
  /** A command that goes on in the second terminal, what that prints next, and Ctrl-C in it. */
  | { readonly kind: "server"; readonly line: number; readonly command: string }
  | { readonly kind: "server output"; readonly line: number; readonly lines: readonly string[] }
  | { readonly kind: "stop server"; readonly line: number };

/** The steps of one kind. */
export type StepOf<Kind extends Step["kind"]> = Extract<Step, { readonly kind: Kind }>;

/** A place in the tutorial that is not true, or that nobody can follow. */
export class TutorialError extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** How a command of a block ends, by the words behind its fence. */
const modes = { sh: "", "sh fails": "fails", "sh offline": "offline" } as const;

/** The steps of a tutorial in their order. A kind of block that is none of the tutorial's is an error. */
export function readSteps(markdown: string): Step[] {
  return codeBlocks(markdown).flatMap((block) => [...stopOf(block), ...stepsOf(block)]);
}

function stopOf({ prose, line }: CodeBlock): Step[] {
  if (!/\bCtrl-C\b/.test(prose)) return [];
  const behind = prose.slice(prose.indexOf("Ctrl-C")).split("\n").length - 1;
  return [{ kind: "stop server", line: line - behind }];
}

function stepsOf(block: CodeBlock): Step[] {
  const { info, code, line } = block;
  const lines = code.trimEnd().split("\n");
  switch (info) {
    case "sh":
    case "sh fails":
    case "sh offline": {
      const mode = modes[info];
      return commandsOf(code).map((command, index) => ({
        kind: "command",
        line: line + command.line,
        command: command.text,
        mode,
        first: index === 0,
      }));
    }
    case "sh server":
      return [{ kind: "server", line: line + 1, command: code.trim() }];
    case "text":
      return [{ kind: "output", line: line + 1, lines }];
    case "text server":
      return [{ kind: "server output", line: line + 1, lines }];
    default:
      return [fileStep(block)];
  }
}

/** One for each line; a line that ends in a backslash goes on in the next one. */
function commandsOf(code: string): { line: number; text: string }[] {
  return [...code.matchAll(/(?:[^\n]*\\\n)*[^\n]+/g)].map(({ index, 0: text }) => ({
    line: code.slice(0, index).split("\n").length,
    text,
  }));
}

/** A block whose fence names a file: all of it, or a change of it. */
function fileStep({ info, code, line, prose }: CodeBlock): Step {
  const [, language, path] = /^(\S+) ([\w./-]+\.\w+)$/.exec(info) ?? [];
  if (path === undefined) {
    throw new TutorialError(
      line,
      `The block is "${info}", which is nothing that a reader does or sees. It has to be "sh", "sh fails", ` +
        '"sh offline", "sh server", "text", "text server", "diff <file>" or "<language> <file>".',
    );
  }
  if (!prose.includes(`\`${path}\``) && language !== "diff") {
    throw new TutorialError(line, `The text before the block does not name \`${path}\`.`);
  }
  if (language !== "diff") return { kind: "file", line, path, text: code };
  return { kind: "edit", line, path, from: side(code, "-"), to: side(code, "+") };
}

/** The lines of a diff that were there before (`-`) or are there after it (`+`). */
function side(diff: string, sign: "-" | "+"): string {
  const lines = diff.split("\n").filter((line) => line.startsWith(" ") || line.startsWith(sign));
  return lines.map((line) => `${line.slice(1)}\n`).join("");
}
