/** A file of another tool, made by hand as that tool writes it. */
export interface MadeImport {
  /** The file that is imported, or the folder. */
  readonly name: string;
  /** What it has, in words. */
  readonly has: string;
  /** The files, by name. */
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  /** What it comes to: files of fixtures, or what the refusal says. */
  readonly becomes: readonly string[] | string;
}

/** One file with a text, or with JSON. */
export function one(
  name: string,
  has: string,
  content: string | object,
  becomes: MadeImport["becomes"],
): MadeImport {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  return { name, has, files: { [name]: text }, becomes };
}
