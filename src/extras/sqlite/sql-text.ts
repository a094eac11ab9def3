/** A word, name, literal or sign in SQL text. */
export interface Token {
  readonly text: string;
  /** In UTF-16 code units from the beginning of the text. */
  readonly offset: number;
}

const tokenPattern =
  /\s+|--[^\n]*|\/\*[^]*?(?:\*\/|$)|'[^']*(?:''[^']*)*'?|"[^"]*(?:""[^"]*)*"?|`[^`]*(?:``[^`]*)*`?|\[[^\]]*\]?|[\w$\u0080-\uFFFF]+|[^]/g;
const gap = /^(?:\s|--|\/\*)/;

/** The tokens of a text up to the end of a statement, without white space and comments. */
export function tokensOf(text: string, from = 0): readonly Token[] {
  const tokens: Token[] = [];
  const pattern = new RegExp(tokenPattern);
  pattern.lastIndex = from;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    if (match[0] === ";" && tokens.length > 0) break;
    if (match[0] !== ";" && !gap.test(match[0])) {
      tokens.push({ text: match[0], offset: match.index });
    }
  }
  return tokens;
}

/** The name that a token stands for, without its quotes: `"a""b"`, `` `a` ``, `[a]` and `'a'`. */
export function unquoteName(token: string): string {
  const quote = token.charAt(0);
  if (quote === "[") return token.slice(1, -1);
  if (quote !== '"' && quote !== "`" && quote !== "'") return token;
  return token.slice(1, -1).replaceAll(quote + quote, quote);
}
