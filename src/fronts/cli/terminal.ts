import type { Io, Output } from "./io.ts";

/** Wraps text in terminal colours, or leaves it as it is. */
export interface Style {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly cyan: (text: string) => string;
}

/** `util.styleText` is not used: from Node 22.13 on it decides by the process's own stream, not by `output`. */
function paint(on: boolean, open: number, close: number): (text: string) => string {
  return on ? (text) => `\u001B[${open}m${text}\u001B[${close}m` : (text) => text;
}

/** Colour for a terminal that wants it: NO_COLOR switches it off, FORCE_COLOR on where there is no terminal. */
export function styleFor(output: Output, env: Io["env"]): Style {
  const on = wantsColor(output, env);
  return {
    bold: paint(on, 1, 22),
    dim: paint(on, 2, 22),
    red: paint(on, 31, 39),
    green: paint(on, 32, 39),
    yellow: paint(on, 33, 39),
    cyan: paint(on, 36, 39),
  };
}

function wantsColor(output: Output, env: Io["env"]): boolean {
  if ((env["NO_COLOR"] ?? "") !== "") return false;
  const forced = env["FORCE_COLOR"] ?? "";
  if (forced !== "") return forced !== "0" && forced !== "false";
  return output.isTerminal && env["TERM"] !== "dumb";
}

/** One word for a POSIX shell. URLs too: zsh takes a bare `?` for a pattern. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** A text from outside, which must not move the cursor or colour the terminal. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, "\uFFFD");
}
