import { LineCounter, parseDocument, type ScalarTag } from "yaml";
import type { Problem } from "../../../core/errors/emulator-error.ts";

/** The tags of binary data, in YAML of Python and of Ruby. */
const binary: readonly ScalarTag[] = ["tag:yaml.org,2002:binary", "!binary"].map((tag) => ({
  tag,
  resolve: (text) => new Uint8Array(Buffer.from(text, "base64")),
}));

/** The value of a YAML text, or its first problem. An alias and its anchor are the same object. */
export function readYaml(
  text: string,
): { readonly value: unknown } | Required<Pick<Problem, "message" | "line" | "column">> {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, {
    lineCounter,
    merge: true,
    prettyErrors: false,
    logLevel: "silent",
    customTags: (tags) => [...tags, ...binary],
  });
  const [error] = document.errors;
  if (error !== undefined) {
    const { line, col: column } = lineCounter.linePos(error.pos[0]);
    return { message: error.message, line, column };
  }
  try {
    // Aliases share one object, so any number of them is allowed. Readers limit what they look at.
    return { value: document.toJS({ maxAliasCount: -1 }) as unknown };
  } catch (cause) {
    // An alias without an anchor.
    return { message: cause instanceof Error ? cause.message : String(cause), line: 1, column: 1 };
  }
}
