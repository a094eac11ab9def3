import type { Io, Output } from "./io.ts";

/** Wraps text in terminal colours, or leaves it unchanged. */
export interface Style {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly cyan: (text: string) => string;
}

/** Not `util.styleText`: since Node 22.13 it decides by the process's own stream instead of `output`. */
function paint(on: boolean, open: number, close: number): (text: string) => string {
  return on ? (text) => `\u001B[${open}m${text}\u001B[${close}m` : (text) => text;
}

/** Colours for a terminal that wants them: NO_COLOR turns them off, FORCE_COLOR on without a terminal. */
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

/** One word for a POSIX shell. Includes URLs: zsh takes a bare `?` for a pattern. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Text from outside must not move the cursor or colour the terminal. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, "\uFFFD");
}
