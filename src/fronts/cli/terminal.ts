import { randomUUID } from "node:crypto";
import { visibleLines } from "../../core/errors/visible-text.ts";
import type { Io, Output } from "./io.ts";
import { withoutPasswords } from "./without-passwords.ts";

/** What follows a mark: a colour, or the command that clears a line. */
const ownSequence = /^\r?\p{Cc}\[\d*[mK]/u;

/**
 * The same surroundings, where no text from outside controls the terminal: names of fixtures and answers of servers are
 * written with their control characters shown as escapes, and URLs without their passwords. Backlot's own colours stand behind a mark, which nobody else
 * knows.
 */
export function withSafeOutput(io: Io): Io {
  const mark = randomUUID();
  return { ...io, stdout: safeOutput(io.stdout, mark), stderr: safeOutput(io.stderr, mark) };
}

function shown(text: string): string {
  return withoutPasswords(visibleLines(text));
}

function safeOutput(output: Output, mark: string): Output {
  const write = (text: string): void => {
    const [start = "", ...marked] = text.split(mark);
    const parts = marked.map((part) => {
      const own = ownSequence.exec(part)?.[0] ?? "";
      return own + shown(part.slice(own.length));
    });
    output.write(shown(start) + parts.join(""));
  };
  return {
    ...output,
    write,
    // Data in a file or a pipe keeps its bytes.
    writeData: output.isTerminal ? write : output.write,
    mark,
    get columns() {
      return output.columns;
    },
  };
}
