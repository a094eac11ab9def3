import type { JournalEntry } from "../../../core/emulator/journal/entry.ts";
import type { VNode } from "preact";
import { counted } from "../../../core/errors/show.ts";
import type { AnswerPlan, MissedScript, PlanTest } from "../../../core/http/answerer.ts";
import { consolePath } from "../api/place.ts";
import { Facts } from "../parts/facts.tsx";
import { hashOf } from "../parts/route.ts";
import { SmallTable } from "../parts/small-table.tsx";
import { endings } from "../parts/timeline.ts";
import { showMs } from "./summary.ts";

/** Why a request was answered as it was: in words, and in tables of what was compared. */
export function Why({ entry }: { readonly entry: JournalEntry }): VNode {
  const { problem, ended, misses, plan, closestRecording: closest } = entry;
  return (
    <div class="stack">
      <p class={problem === null ? "said" : `notice said ${endings[ended].tone}`}>
        {problem ?? whatHappened(entry)}
      </p>
      <WhoAnswered entry={entry} />
      {misses.length > 0 && <Misses misses={misses} entry={entry} />}
      {plan !== null && <Plan plan={plan} />}
      {closest !== null && (
        <>
          <h3>
            The closest recording is number {closest.number} of {closest.cassette}. It differs:
          </h3>
          <SmallTable
            label="Differences from the recording"
            heads={["where", "recorded", "sent"]}
            rows={closest.differences.map(({ at, recorded, sent }) => [
              <code>{at}</code>,
              recorded ?? "nothing",
              sent ?? "nothing",
            ])}
          />
        </>
      )}
    </div>
  );
}

function whatHappened({ ended, status, durationMs }: JournalEntry): string {
  if (ended === "pending") return "The request is under way.";
  const what = status === 0 ? "No answer" : `Status ${status}`;
  return `${what}, ${endings[ended].words}, after ${showMs(durationMs)}.`;
}

function WhoAnswered({ entry }: { readonly entry: JournalEntry }): VNode {
  const { script, reply, fault, recording, session, answeredBy, retryCount, ended } = entry;
  const { "user-agent": client } = entry.headers;
  const nobody = ended === "pending" ? "not answered yet" : "the interface itself";
  return (
    <Facts
      facts={[
        ["answered by", answeredBy ?? nobody],
        ["script", script === null ? undefined : <a href={hashOf("scripts", script)}>{script}</a>],
        ["reply", reply === null ? undefined : `number ${reply + 1}`],
        ["fault", fault === null ? undefined : <a href={hashOf("faults")}>{fault}</a>],
        ["recording", recording === null ? undefined : `${recording.cassette} ${recording.number}`],
        ["session", session === null ? undefined : <a href={consolePath(session)}>{session}</a>],
        ["client", client],
        ["retry", retryCount === null ? undefined : `number ${retryCount}`],
      ]}
    />
  );
}

/** The scripts that did not match, nearest first, each condition of theirs that failed in a row. */
function Misses({
  misses,
  entry,
}: {
  readonly misses: readonly MissedScript[];
  readonly entry: JournalEntry;
}): VNode {
  const rows = misses.flatMap(({ script, failures, usedUp }) => {
    const why =
      usedUp === undefined ? [] : [["times", "another match", usedUp, undefined] as const];
    const failed = failures.map(
      ({ criterion, expected, seen, near }) => [criterion, expected, seen, near] as const,
    );
    return [...failed, ...why].map(([criterion, expected, seen, near], index) => [
      index === 0 ? <a href={hashOf("scripts", script)}>{script}</a> : "",
      <code>{criterion}</code>,
      expected,
      near === undefined ? seen : `${seen} (${near})`,
    ]);
  });
  return (
    <>
      <h3>
        {entry.script === null
          ? "The scripts that came closest"
          : "These scripts were tried before, and did not match"}
      </h3>
      <SmallTable
        label="Scripts that did not match"
        heads={["script", "condition", "expected", "seen"]}
        rows={rows}
      />
    </>
  );
}

/** How a table found the rows. */
function Plan({
  plan: { access, candidates, tests, order },
}: {
  readonly plan: AnswerPlan;
}): VNode {
  const { by, columns = [], search } = access;
  const index = `the index of ${columns.join(", ")}${search === "range" ? ", in a range" : ""}`;
  const way = by === "index" ? index : by === "scan" ? "all rows in turn" : "the row id";
  const sorted = typeof order === "object" ? `only the first ${order.first} are kept` : order;
  return (
    <>
      <h3>How the table finds the rows</h3>
      <Facts
        facts={[
          ["looked at", way],
          ["found there", counted(candidates, "row")],
          ["order", sorted],
        ]}
      />
      {tests.length > 0 && (
        <SmallTable
          label="Conditions tested row by row"
          heads={["column", "operator", "value"]}
          rows={tests.map(({ column, operator, value, values }: PlanTest) => [
            <code>{column}</code>,
            operator,
            value ?? values?.join(", "),
          ])}
        />
      )}
    </>
  );
}
