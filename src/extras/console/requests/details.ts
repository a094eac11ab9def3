import { useEffect, useRef, useState } from "preact/hooks";
import type { JournalEntry, JournalSummary } from "../../../core/emulator/journal/entry.ts";
import type { Result } from "../../../core/errors/result.ts";
import { failed, ok } from "../../../core/errors/result.ts";
import { baseOf, Client, consolePath, type Failure } from "../api/client.ts";
import { useConsole } from "../parts/use-console.ts";
import { didFail } from "./fault-like.ts";
import { entryKey, isOfEarlierRun } from "./summary.ts";

/** The whole requests that were read, by their summaries. */
const known = new WeakMap<JournalSummary, JournalEntry>();

/** Reads the whole of a request, of whichever session it is. What was read is kept as long as its summary. */
export async function readDetails(
  client: Client,
  summary: JournalSummary,
): Promise<Result<JournalEntry, Failure>> {
  const read = known.get(summary);
  if (read !== undefined) return ok(read);
  if (isOfEarlierRun(summary)) {
    const message = "The server that answered this request is gone, and only its summary is left.";
    return failed({ status: 0, message });
  }
  const { id, session } = summary;
  const base = baseOf(consolePath(session ?? undefined));
  const asked = base === client.base ? client : new Client(base);
  const answer = await asked.control<JournalEntry>(`/requests/${id}`);
  if (answer.ok) known.set(summary, answer.value);
  return answer;
}

/** Gives the details that were read of a request to another summary of it, too. */
export function shareDetails(from: JournalSummary, to: JournalSummary): void {
  const read = known.get(from);
  const { id, ended, problem } = to;
  if (read !== undefined) known.set(to, { ...read, id, ended, problem });
}

/** The most failures that are read at the same time. The others are read when the user opens them. */
const mostAtOnce = 4;
let reading = 0;
/**
 * The last failures whose details were read as soon as they happened. Their number is limited, since each may have
 * 130 KB.
 */
const failures: JournalSummary[] = [];
const mostFailures = 200;

/** Reads a failed request as soon as it has failed, so that the user can look at it when its server is gone. */
export function keepFailure(client: Client, summary: JournalSummary): void {
  if (summary.ended === "pending" || !didFail(summary) || reading === mostAtOnce) return;
  reading++;
  void readDetails(client, summary).finally(() => reading--);
  failures.push(summary);
  const [oldest] = failures.length > mostFailures ? failures.splice(0, 1) : [];
  if (oldest !== undefined) known.delete(oldest);
}

/** A request that is shown. */
export interface Details {
  /** The entry as it was last read. Undefined: it is being read. */
  readonly entry: JournalEntry | undefined;
  readonly failure: Failure | undefined;
}

/** The whole of a request, read again while it goes on. */
export function useDetails(summary: JournalSummary | undefined): Details {
  const { client } = useConsole();
  const [read, setRead] = useState<{
    readonly of: JournalSummary;
    readonly answer: Result<JournalEntry, Failure>;
  }>();
  const isReading = useRef(false);
  useEffect(() => {
    const isRead = summary === undefined || known.has(summary) || read?.of === summary;
    if (isRead || isReading.current) return;
    isReading.current = true;
    const readOne = async (): Promise<void> => {
      const answer = await readDetails(client, summary);
      isReading.current = false;
      setRead({ of: summary, answer });
    };
    void readOne();
  }, [client, summary, read]);
  if (summary === undefined) return { entry: undefined, failure: undefined };
  const whole = known.get(summary);
  if (whole !== undefined) return { entry: whole, failure: undefined };
  const isSame = read !== undefined && entryKey(read.of) === entryKey(summary);
  if (!isSame) return { entry: undefined, failure: undefined };
  const { answer } = read;
  return answer.ok
    ? { entry: { ...answer.value, ...summary, change: answer.value.change }, failure: undefined }
    : { entry: undefined, failure: answer.error };
}
