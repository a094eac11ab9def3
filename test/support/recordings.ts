import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";

/** An answer of the real service. */
export interface RecordedAnswer {
  readonly status: number;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  /** Parsed JSON, or text. */
  readonly response?: unknown;
}

/** A request as it was sent, with the answer. */
export interface RecordedStep extends RecordedAnswer {
  readonly method: string;
  /** As it stood in the request line. */
  readonly path: string;
  /** `{TOKEN}` stands for the token, `{token-lower}` for it in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly rawBody?: string;
  /** What a later runtime answers. */
  readonly alt?: readonly RecordedAnswer[];
  /** Rows that compare equal by `sort` may come in any order. */
  readonly ties?: boolean;
  readonly sort?: { readonly column: string };
  /** Rows may come in any order. */
  readonly planOrder?: boolean;
  /** The rows that a limit may choose from where the order is open. */
  readonly tiePool?: readonly unknown[];
  /** Parts that belong to the host. */
  readonly nonNormative?: readonly string[];
}

/** Requests that were made one after the other. */
export interface RecordedCase {
  readonly id: string;
  readonly group: string;
  readonly setup: "base" | "extra";
  /** Whether it needs fresh data, and leaves other data behind. */
  readonly mutates: boolean;
  readonly steps: readonly RecordedStep[];
}

/** The text of a file beside the recordings. The recordings themselves are compressed: 3.5 MB become 0.1. */
export function recordedText(name: string): string {
  const bytes = readFileSync(fileURLToPath(new URL(`../recorded/${name}`, import.meta.url)));
  return (name.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
}

/** The cases of a file, by group. */
export function recordedGroups(name: string): ReadonlyMap<string, readonly RecordedCase[]> {
  const groups = new Map<string, RecordedCase[]>();
  for (const line of recordedText(name).trim().split("\n")) {
    const recorded: RecordedCase = JSON.parse(line);
    const group = groups.get(recorded.group);
    if (group === undefined) groups.set(recorded.group, [recorded]);
    else group.push(recorded);
  }
  return groups;
}
