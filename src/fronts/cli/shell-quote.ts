/** One word for a POSIX shell. URLs too: zsh takes a bare `?` for a pattern. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
