import { visibleLines } from "../../core/errors/visible-text.ts";
import type { Io, Output } from "./io.ts";
import { withoutPasswords } from "./without-passwords.ts";

/** What follows a mark: a colour, or the command that clears a line. */
const ownSequence = /^\r?\p{Cc}\[\d*[mK]/u;

/**
 * The same `io`, but no text from outside can control the terminal: names of fixtures and answers of servers are
 * written with their control characters shown as escapes, and URLs without their passwords. Backlot's own colours
 * stand behind a mark, which nobody else knows.
 */
export function withSafeOutput(io: Io): Io {
  const mark = new Mark();
  return { ...io, stdout: safeOutput(io.stdout, mark), stderr: safeOutput(io.stderr, mark) };
}

/**
 * A text that nobody can guess. It is made when the first colour asks for it: Node's cryptography takes 3 ms to load,
 * and a start without colours goes without it.
 */
class Mark {
  #text: string | undefined;

  get text(): string {
    return (this.#text ??= crypto.randomUUID());
  }

  /** Splits a text at the marks in it. */
  split(text: string): readonly string[] {
    return this.#text === undefined ? [text] : text.split(this.#text);
  }
}

function shown(text: string): string {
  return withoutPasswords(visibleLines(text));
}

function safeOutput(output: Output, mark: Mark): Output {
  const write = (text: string): void => {
    const [start = "", ...marked] = mark.split(text);
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
    get mark() {
      return mark.text;
    },
    get columns() {
      return output.columns;
    },
  };
}
