import {
  type NamedCassette,
  type RecordingRules,
  usualRecordingRules,
} from "../../../../core/replay/cassette.ts";
import { chatScripts } from "./chat-scripts.ts";
import { recordedTables, type TableFile } from "./recorded-tables.ts";
import type { ChatFile } from "./script-files.ts";

export type { ChatFile, TableFile };

/** What recordings come to as fixtures. */
export interface RecordedFixtures {
  /** Files of the folder `chats`, in the order in which they are tried. */
  readonly chats: readonly ChatFile[];
  /** Files of the folder `tables`. */
  readonly tables: readonly TableFile[];
  /** What could not be taken over, with the place in the recordings. */
  readonly remarks: readonly string[];
}

/**
 * Makes scripts and tables of recordings: a file for each conversation, and for each table the rows that were seen. Scripts ask
 * for what the user said, and besides for no more than tells a request apart from all others.
 */
export function toFixtures(
  cassettes: readonly NamedCassette[],
  rules: RecordingRules = usualRecordingRules,
): RecordedFixtures {
  const remarks = new Set<string>();
  const remark = (message: string): void => void remarks.add(message);
  const of = (kind: NamedCassette["interface"]): readonly NamedCassette[] =>
    cassettes.filter((cassette) => cassette.interface === kind);
  const chats = chatScripts(of("chat"), rules, remark);
  const tables = recordedTables(of("rest"), remark);
  return { chats: chats.toSorted(byFile), tables, remarks: [...remarks] };
}

function byFile(left: ChatFile, right: ChatFile): number {
  return left.file < right.file ? -1 : 1;
}
