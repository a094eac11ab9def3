/** Wraps text in terminal colours, or leaves it unchanged. */
export interface Style {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly cyan: (text: string) => string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Not `util.styleText`: since Node 22.13 it looks at the process's own stream instead of `output`. */
function paint(on: boolean, open: number, close: number): (text: string) => string {
  return on ? (text) => `\u001B[${open}m${text}\u001B[${close}m` : (text) => text;
}

/** Colours if `output` is a terminal. NO_COLOR turns them off; FORCE_COLOR turns them on without a terminal. */
export function styleFor(output: { readonly isTerminal: boolean }, env: Environment): Style {
  const on = wantsColor(output.isTerminal, env);
  return {
    bold: paint(on, 1, 22),
    dim: paint(on, 2, 22),
    red: paint(on, 31, 39),
    green: paint(on, 32, 39),
    yellow: paint(on, 33, 39),
    cyan: paint(on, 36, 39),
  };
}

function wantsColor(isTerminal: boolean, env: Environment): boolean {
  if ((env["NO_COLOR"] ?? "") !== "") return false;
  const forced = env["FORCE_COLOR"] ?? "";
  if (forced !== "") return forced !== "0" && forced !== "false";
  return isTerminal && env["TERM"] !== "dumb";
}
