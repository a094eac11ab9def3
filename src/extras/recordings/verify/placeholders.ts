import type { RecordingRules } from "../../../core/replay/cassette.ts";
import { isSecretHeader } from "../../../core/http/secret-names.ts";

/** Finds what stands for a value that was taken out of a recording: `[email 1]`. */
export interface Placeholders {
  /** Whether a text is one, and nothing else. */
  readonly is: (text: string) => boolean;
  /** The first in a text, if there is any. */
  readonly in: (text: string) => string | undefined;
}

const placeholder = /\[([A-Za-z][\w .-]{0,39}) \d{1,6}\]/g;

/** The placeholders that recordings under these rules have: those that are named there, and those of keys. */
export function placeholdersOf({ redact }: Pick<RecordingRules, "redact">): Placeholders {
  // Of the name and password in an address, whatever the rules are.
  const names = new Set(["user", ...redact.map((rule) => rule.as)]);
  const first = (text: string): string | undefined => {
    for (const [found, name = ""] of text.matchAll(placeholder)) {
      if (names.has(name) || isSecretHeader(name)) return found;
    }
    return undefined;
  };
  return { is: (text) => text.startsWith("[") && first(text) === text, in: first };
}
