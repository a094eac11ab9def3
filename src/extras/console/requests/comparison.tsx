import diff from "microdiff";
import type { VNode } from "preact";
import type { JournalEntry } from "../../../core/emulator/journal/entry.ts";
import { showPath } from "../../../core/schema/json.ts";
import { Button } from "../parts/controls.tsx";
import { SmallTable } from "../parts/display.tsx";
import { hashOf } from "../parts/route.ts";
import { receivedAnswer } from "./received.tsx";
import { askedFor, entryKey } from "./summary.ts";

interface ComparisonProps {
  readonly one: JournalEntry;
  readonly other: JournalEntry;
  readonly onEnd: () => void;
}

/** Two requests side by side: where they and their answers differ. */
export function Comparison({ one, other, onEnd }: ComparisonProps): VNode {
  const differences = differencesOf(one, other);
  return (
    <div class="stack comparison">
      <div class="row">
        <p>
          Compared with <a href={hashOf("requests", entryKey(one), {})}>request {one.id}</a>:{" "}
          {askedFor(one)}
        </p>
        <Button text="End comparing" class="quiet end" onClick={onEnd} />
      </div>
      {differences.length === 0 ? (
        <p>Both requests and their answers are the same.</p>
      ) : (
        <SmallTable
          label="Differences between the requests"
          heads={["where", `request ${one.id}`, `request ${other.id}`]}
          rows={differences.map(({ where, before, after }) => [
            <code>{where}</code>,
            before,
            after,
          ])}
        />
      )}
    </div>
  );
}

/** A place where two requests differ, with the value of each. */
interface Difference {
  readonly where: string;
  readonly before: string;
  readonly after: string;
}

function differencesOf(one: JournalEntry, other: JournalEntry): readonly Difference[] {
  return diff(comparedParts(one), comparedParts(other)).map((found) => ({
    where: showPath(found.path),
    before: found.type === "CREATE" ? "nothing" : inShort(found.oldValue),
    after: found.type === "REMOVE" ? "nothing" : inShort(found.value),
  }));
}

/**
 * The parts that are compared: the request, how it was answered, and the answer. The chunks of a stream are put
 * together first.
 */
function comparedParts(entry: JournalEntry): Record<string, unknown> {
  const { method, path, query, body, status, ended, script, headers, response } = entry;
  const answer = receivedAnswer(entry)?.answer.choices ?? response?.body ?? null;
  return { method, path, query, request: body, status, ended, script, answer, headers };
}

/** The longest value that is shown, in characters. */
const longestValue = 1000;

function inShort(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;
}
