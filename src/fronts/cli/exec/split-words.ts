/** The words of a command line, taken apart where the command that `exec` runs begins. */
export interface SplitWords {
  /** Those that are ours. */
  readonly own: readonly string[];
  /** Those behind the first `--`, which are never read as options of ours. Undefined without `--`. */
  readonly command: readonly string[] | undefined;
}

/** Takes a command line of `exec` apart. Any other is ours as a whole. */
export function splitWords(args: readonly string[]): SplitWords {
  const dashes = args[0] === "exec" ? args.indexOf("--") : -1;
  if (dashes === -1) return { own: args, command: undefined };
  return { own: args.slice(0, dashes), command: args.slice(dashes + 1) };
}
