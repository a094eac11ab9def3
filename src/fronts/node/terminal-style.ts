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
function paint(mark: string, open: number, close: number): (text: string) => string {
  return (text) => `${mark}\u001B[${open}m${text}${mark}\u001B[${close}m`;
}

const unchanged = (text: string): string => text;
const plain: Style = {
  bold: unchanged,
  dim: unchanged,
  red: unchanged,
  green: unchanged,
  yellow: unchanged,
  cyan: unchanged,
};

/** Where styled text goes. */
interface StyledOutput {
  readonly isTerminal: boolean;
  /** A mark that precedes each escape sequence. Default: none. */
  readonly mark?: string;
}

/** Colours if `output` is a terminal. NO_COLOR turns them off; FORCE_COLOR turns them on without a terminal. */
export function styleFor(output: StyledOutput, env: Environment): Style {
  if (!wantsColor(output.isTerminal, env)) return plain;
  const { mark = "" } = output;
  return {
    bold: paint(mark, 1, 22),
    dim: paint(mark, 2, 22),
    red: paint(mark, 31, 39),
    green: paint(mark, 32, 39),
    yellow: paint(mark, 33, 39),
    cyan: paint(mark, 36, 39),
  };
}

function wantsColor(isTerminal: boolean, env: Environment): boolean {
  if ((env["NO_COLOR"] ?? "") !== "") return false;
  const forced = env["FORCE_COLOR"] ?? "";
  if (forced !== "") return forced !== "0" && forced !== "false";
  return isTerminal && env["TERM"] !== "dumb";
}
