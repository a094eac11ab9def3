import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { JournalEntry } from "../../../core/emulator/journal/entry.ts";
import { counted } from "../../../core/errors/show.ts";
import { showDuration } from "../parts/stream.ts";
import { takenMs } from "./use-requests.ts";

/** How often the times of a request under way are drawn again, in milliseconds. */
const drawMs = 250;

/**
 * Says how much of an answer under way was sent, and for how long nothing has come since. Of a stalled answer, says
 * for how long nothing came.
 */
export function Silence({ entry }: { readonly entry: JournalEntry }): VNode | null {
  const [, setTurn] = useState(0);
  const runs = entry.ended === "pending";
  useEffect(() => {
    if (!runs) return undefined;
    const timer = setInterval(() => setTurn((turn) => turn + 1), drawMs);
    return () => clearInterval(timer);
  }, [runs]);
  if (!runs && entry.ended !== "stalled" && entry.ended !== "hung") return null;
  const { response, bytes, durationMs } = entry;
  const sent = response?.frames?.flatMap(({ sentMs }) => sentMs ?? []) ?? [];
  const elapsed = runs ? takenMs(entry) : durationMs;
  const silence = showDuration(Math.max(0, elapsed - (sent.at(-1) ?? 0)));
  if (sent.length === 0)
    return <p>{`Nothing ${runs ? "has been" : "was"} sent for ${silence}.`}</p>;
  const size = `${counted(sent.length, "frame")} and ${counted(bytes, "byte")} sent`;
  const since = `${runs ? "Nothing for" : "Then nothing for"} ${silence}, since frame ${sent.length}`;
  return <p>{`${size}. ${since}.`}</p>;
}
