import type { VNode } from "preact";
import { useId } from "preact/hooks";
import type { JournalEntry, JournalSummary } from "../../../core/emulator/journal/entry.ts";
import type { JournalFrame } from "../../../core/emulator/journal/response.ts";
import { counted } from "../../../core/errors/show.ts";
import type { AnswerPlan, PlanTest } from "../../../core/http/answerer.ts";
import { consolePath } from "../api/client.ts";
import { Facts, SmallTable } from "../parts/display.tsx";
import { JsonTree } from "../parts/json-tree.tsx";
import { Button } from "../parts/controls.tsx";
import { LongList } from "../parts/long-list.tsx";
import { receivedFrames, showDuration, endings } from "../parts/stream.ts";
import { localTime } from "../parts/local-time.ts";
import { hashOf, useUrlState } from "../parts/route.ts";
import { TimeAxis } from "../parts/time-axis.tsx";
import { MessagesTab } from "./messages-tab.tsx";
import { Received } from "./received.tsx";
import { SentFrames } from "./sent-frames.tsx";
import { Silence } from "./silence.tsx";
import type { Step } from "./threads.ts";
import { askedChat, changedColumns, countsOf } from "./summary.ts";

interface EntryProps {
  readonly entry: JournalEntry;
}

interface ExchangeTabsProps extends EntryProps {
  /** The step of its conversation that the request goes on from, if there is one. */
  readonly before?: Step | undefined;
}

/** The tabs of a request, with their names in the address. Only chats have messages. */
const tabs = [
  ["why", "Why", Why],
  ["messages", "Messages", MessagesTab],
  ["request", "Request", RequestTab],
  ["response", "Response", ResponseTab],
  ["timing", "Timing", TimingTab],
] as const;

function tabsOf(entry: JournalSummary): readonly (typeof tabs)[number][] {
  return tabs.filter(([name]) => name !== "messages" || askedChat(entry) !== undefined);
}

/** The tab of a request that an arrow key moves to. */
export function tabAfter(
  entry: JournalSummary,
  from: string,
  event: KeyboardEvent,
): string | undefined {
  const known = tabsOf(entry);
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (step === undefined) return undefined;
  event.preventDefault();
  const at = known.findIndex(([name]) => name === from);
  return known.at((Math.max(0, at) + step) % known.length)?.[0];
}

/** The details of a request, one tab at a time. */
export function ExchangeTabs({ entry, before }: ExchangeTabsProps): VNode {
  const id = useId();
  const [{ tab }, change] = useUrlState({ tab: tabs[0][0] });
  const shown = tabsOf(entry);
  const [chosen, , Content] = shown.find(([name]) => name === tab) ?? tabs[0];
  const press = (event: KeyboardEvent): void => {
    const next = tabAfter(entry, chosen, event);
    if (next === undefined) return;
    change({ tab: next });
    document.getElementById(`${id}-${next}`)?.focus();
  };
  return (
    <div class="tabs">
      <div role="tablist" aria-label="Parts of the request" onKeyDown={press}>
        {shown.map(([name, title]) => (
          <Button
            text={title}
            key={name}
            role="tab"
            id={`${id}-${name}`}
            aria-selected={name === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={name === chosen ? 0 : -1}
            onClick={() => change({ tab: name })}
          />
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`}>
        <Content entry={entry} before={before} />
      </div>
    </div>
  );
}

/** The request itself. */
function RequestTab({ entry: { query, headers, body, bodyText } }: EntryProps): VNode {
  return (
    <div class="stack">
      {query !== "" && (
        <>
          <h3>Query</h3>
          <Facts class="pairs" label="Query" facts={[...new URLSearchParams(query)]} />
        </>
      )}
      <h3>Body</h3>
      {body === null ? (
        <p class="muted">none</p>
      ) : (
        <JsonTree label="Body of the request" value={body} raw={bodyText ?? undefined} />
      )}
      <h3>Headers</h3>
      <Facts class="pairs" label="Headers of the request" facts={Object.entries(headers)} />
    </div>
  );
}

/** The response: its body, or the frames that were sent. */
function ResponseTab({ entry }: EntryProps): VNode {
  const { response, usage, bytes, ended, problem, brokenBy } = entry;
  if (response === null) {
    return (
      <p class="muted">
        {ended === "pending" ? "Nothing yet." : "The client got no answer, not even a status."}
      </p>
    );
  }
  const { headers, body, frames, truncated, encoding } = response;
  return (
    <div class="stack">
      {truncated && (
        <p class="notice">The journal keeps the first 64 KB of {counted(bytes, "byte")}.</p>
      )}
      {frames === null ? (
        <>
          <h3>Body{encoding === "base64" && ", as base64"}</h3>
          {body === null ? (
            <p class="muted">none</p>
          ) : (
            <JsonTree label="Body of the answer" value={body} />
          )}
        </>
      ) : (
        <SentFrames frames={frames} fault={brokenBy} />
      )}
      <Silence entry={entry} />
      <Received entry={entry} />
      {problem !== null && ended !== "refused" && (
        <p class={`notice ${endings[ended].tone}`}>
          Then {endings[ended].words}: {problem}
        </p>
      )}
      {usage !== null && <Facts label="Usage" facts={countsOf(usage)} />}
      <h3>Headers</h3>
      <Facts class="pairs" label="Headers of the answer" facts={Object.entries(headers)} />
    </div>
  );
}

/** When each frame was sent, and when it was planned. */
function TimingTab({ entry }: EntryProps): VNode {
  const { at, durationMs, bytes, ended, brokenBy } = entry;
  const frames = entry.response?.frames ?? [];
  const sent = frames.filter(({ sentMs }) => sentMs !== null);
  // Faults do not count comments as chunks, so they are not counted here either.
  const chunks = receivedFrames(sent).filter(({ kind }) => kind !== "comment").length;
  // The axis begins with the stream, and `durationMs` includes the time before it, so a stream that is over ends with
  // its last frame.
  const isOver = ended !== "pending" && ended !== "stalled" && ended !== "aborted";
  return (
    <div class="stack">
      <Facts
        facts={[
          ["arrived", localTime(at)],
          ["took", showDuration(durationMs)],
          ["sent", counted(bytes, "byte")],
          ["chunks", chunks > 0 ? String(chunks) : undefined],
        ]}
      />
      {frames.length > 0 && (
        <>
          <TimeAxis
            frames={receivedFrames(sent, brokenBy)}
            planned={frames.map(({ dueMs }) => dueMs)}
            outcome={ended}
            elapsedMs={isOver ? (sent.at(-1)?.sentMs ?? 0) : durationMs}
          />
          <LongList
            label="Times of the frames"
            count={frames.length}
            draw={(index) => <FrameTimes key={index} frames={frames} index={index} />}
          />
        </>
      )}
    </div>
  );
}

interface FrameTimesProps {
  readonly frames: readonly JournalFrame[];
  readonly index: number;
}

/** When a frame was planned and sent, in a line. */
function FrameTimes({ frames, index }: FrameTimesProps): VNode {
  const shown = frames.slice(index, index + 1);
  const [{ dueMs, sentMs } = { dueMs: 0, sentMs: null }] = shown;
  const sent =
    sentMs === null
      ? "not sent"
      : `sent ${showDuration(sentMs)}, late ${showDuration(sentMs - dueMs)}`;
  return (
    <div class="frame">
      <span class="number">{index + 1}</span>
      <span>{receivedFrames(shown)[0]?.kind}</span>
      <span>
        planned {showDuration(dueMs)}, {sent}
      </span>
    </div>
  );
}

/** Says in words and tables why a request got its answer. */
function Why({ entry }: EntryProps): VNode {
  const { problem, ended, misses, plan, change, closestRecording: closest } = entry;
  return (
    <div class="stack">
      <p class={problem === null ? "said" : `notice said ${endings[ended].tone}`}>
        {problem ?? whatHappened(entry)}
      </p>
      <Silence entry={entry} />
      {entry.keyProblem !== null && <p class="said">{entry.keyProblem}</p>}
      <WhoAnswered entry={entry} />
      {entry.matched.length > 0 && <Matched entry={entry} />}
      {misses.length > 0 && <Misses entry={entry} />}
      {entry.alsoMatching.length > 0 && <AlsoMatching names={entry.alsoMatching} />}
      {change !== null && (
        <>
          <h3>What it changed</h3>
          <SmallTable
            label="What the request changed"
            heads={["column", "before", "after"]}
            rows={changedColumns(change).map(([column, was, is]) => [
              <code>{column}</code>,
              was || "nothing",
              is || "nothing",
            ])}
          />
        </>
      )}
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
  return `${what}, ${endings[ended].words}, after ${showDuration(durationMs)}.`;
}

function WhoAnswered({ entry }: EntryProps): VNode {
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

/** The conditions of the script that answered. */
function Matched({ entry: { matched } }: EntryProps): VNode {
  return (
    <>
      <h3>All conditions of the script held</h3>
      <SmallTable
        label="Conditions of the script that answered"
        heads={["condition", "expected", "seen"]}
        rows={matched.map(({ criterion, expected, seen }) => [
          <code>{criterion}</code>,
          expected,
          seen,
        ])}
      />
    </>
  );
}

/** The scripts that would have answered if the script that did answer had not stood before them. */
function AlsoMatching({ names }: { readonly names: readonly string[] }): VNode {
  return (
    <>
      <h3>These scripts come later, and would have matched, too</h3>
      <ul class="row" aria-label="Scripts that would have matched, too">
        {names.map((name) => (
          <li key={name}>
            <a href={hashOf("scripts", name)}>{name}</a>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The scripts that did not match, nearest first, with a row for each failed condition. */
function Misses({ entry }: EntryProps): VNode {
  const rows = entry.misses.flatMap(({ script, failures, usedUp, held = [] }) => {
    const why =
      usedUp === undefined ? [] : [["times", "another match", usedUp, undefined] as const];
    const failed = failures.map(
      ({ criterion, expected, seen, near }) => [criterion, expected, seen, near] as const,
    );
    const holding = held.length === 0 ? [] : [[held.join(", "), "", "holds", undefined] as const];
    return [...failed, ...why, ...holding].map(([criterion, expected, seen, near], index) => [
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
        {entry.missed > entry.misses.length && ` (${entry.misses.length} of ${entry.missed})`}
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
  const ways: Readonly<Record<typeof by, string>> = {
    index: `the index of ${columns.join(", ")}${search === "range" ? ", in a range" : ""}`,
    scan: "all rows in turn",
    "row id": "the row id",
  };
  const sorted = typeof order === "object" ? `only the first ${order.first} are kept` : order;
  return (
    <>
      <h3>How the table finds the rows</h3>
      <Facts
        facts={[
          ["looked at", ways[by]],
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
