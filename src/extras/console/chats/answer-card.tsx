import type { VNode } from "preact";
import { Button } from "../parts/controls.tsx";
import { hashOf } from "../parts/route.ts";
import { consoleHeader } from "../../../core/http/console-header.ts";
import { Facts, FailureNotice } from "../parts/display.tsx";
import { TimeAxis } from "../parts/time-axis.tsx";
import { showDuration, timelineOf, withDuplicate } from "../parts/stream.ts";
import type { Script } from "../../../core/chat/scripts/script.ts";
import type { JournalEntry } from "../../../core/emulator/journal/entry.ts";
import { ExchangeTabs } from "../requests/exchange-tabs.tsx";
import { countsOf } from "../requests/summary.ts";
import { EndingBadge } from "../requests/ending-badge.tsx";
import { ChoiceView } from "./choice-view.tsx";
import { missingFrom, receivedOf } from "./missing.ts";
import type { ChatRun } from "./run-chat.ts";

interface AnswerCardProps {
  readonly run: ChatRun;
  /** The index of the choice with which the conversation continues. */
  readonly choice: number;
  /** The journal. */
  readonly entries: readonly JournalEntry[];
  readonly scripts: readonly Script[];
  /** Sends the same request again. Undefined while there is no answer to replace. */
  readonly onAgain?: () => void;
  /** Continues the conversation with another choice. */
  readonly onChoose?: (choice: number) => void;
}

/** An answer: its text, how and why it ended, its times, and its bytes. */
export function AnswerCard(props: AnswerCardProps): VNode {
  const { run, entries, scripts, onAgain } = props;
  const entry = entries.findLast(({ headers }) => headers[consoleHeader] === run.mark);
  const script = scripts.find(({ name }) => name === entry?.script);
  const missing = missingFrom(run, script?.replies[entry?.reply ?? 0]);
  const frames = withDuplicate(run.frames, entry?.brokenBy ?? null);
  const { oddities } = timelineOf(frames, run);
  return (
    <article class="stack" aria-label="Answer" aria-busy={run.outcome === "pending"}>
      <div class="row">
        <h2>
          <EndingBadge entry={{ status: run.status ?? 0, ended: run.outcome }} />
        </h2>
        {onAgain !== undefined && <Button text="Ask again" class="quiet end" onClick={onAgain} />}
      </div>
      <Choices {...props} />
      <FailureNotice failure={run.failure} />
      {(oddities.length > 0 || missing.length > 0) && (
        <ul class="notice warn" aria-label="Problems">
          {oddities.map((text) => (
            <li key={text}>{text}</li>
          ))}
          {missing.length > 0 && (
            <li>
              Received: {receivedOf(run)}. Missing: {missing.join(", ")}.
            </li>
          )}
        </ul>
      )}
      <Figures run={run} entry={entry} />
      <details>
        <summary>How and why</summary>
        {(run.isStream || run.status === undefined) && <TimeAxis {...run} frames={frames} />}
        {entry === undefined ? (
          <p class="muted">The journal does not have this request, or not yet.</p>
        ) : (
          <ExchangeTabs entry={entry} />
        )}
      </details>
    </article>
  );
}

function nothingText({ outcome }: ChatRun): string {
  if (outcome === "refused") return "The answer is only an error.";
  return outcome === "pending" ? "Nothing yet." : "The answer is empty.";
}

interface FiguresProps {
  readonly run: ChatRun;
  readonly entry: JournalEntry | undefined;
}

/** The script that answered, the duration, and the usage. */
function Figures({ run, entry }: FiguresProps): VNode {
  const { firstTokenMs, totalMs, longestGap } = timelineOf(run.frames, run);
  const script = entry?.script ?? undefined;
  return (
    <Facts
      label="What answered, times and usage"
      facts={[
        ["script", script && <a href={hashOf("scripts", script)}>{script}</a>],
        ["answered by", script === undefined ? entry?.answeredBy : undefined],
        ["total", showDuration(totalMs)],
        ["frames", run.isStream ? String(run.frames.length) : undefined],
        ["bytes", entry !== undefined && entry.bytes > 0 ? String(entry.bytes) : undefined],
        ["last frame", lastFrameOf(run)],
        ["first token", firstTokenMs && showDuration(firstTokenMs)],
        ["longest gap", longestGap && showDuration(longestGap.to - longestGap.from)],
        ...countsOf(run.answer.usage ?? {}),
      ]}
    />
  );
}

/** When the last frame of a running stream came. */
function lastFrameOf({ frames, outcome, elapsedMs }: ChatRun): string | undefined {
  const last = frames.at(-1);
  if (outcome !== "pending" || last === undefined) return undefined;
  return `number ${frames.length}, ${showDuration(elapsedMs - last.at)} ago`;
}

/** All choices of an answer. If there are several, the conversation continues with one of them. */
function Choices({ run, choice, onChoose }: AnswerCardProps): VNode {
  const { choices } = run.answer;
  const [only] = choices;
  if (only === undefined) return <p class="muted">{nothingText(run)}</p>;
  if (choices.length === 1) return <ChoiceView choice={only} />;
  return (
    <>
      {choices.map((each, index) => (
        <section
          key={index}
          class={index === choice ? "aside stack accent" : "aside stack"}
          aria-label={`Choice ${index}`}
        >
          <div class="row">
            <h3>Choice {index}</h3>
            {onChoose !== undefined && (
              <Button
                text={index === choice ? "The conversation goes on with this" : "Go on with this"}
                class="quiet"
                aria-pressed={index === choice}
                onClick={() => onChoose(index)}
              />
            )}
          </div>
          <ChoiceView choice={each} />
        </section>
      ))}
    </>
  );
}
