import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { counted } from "../../../core/errors/show.ts";
import { Button } from "../parts/controls.tsx";
import { hashOf } from "../parts/route.ts";
import { Facts, FailureNotice } from "../parts/display.tsx";
import { TimeAxis } from "../parts/time-axis.tsx";
import { showDuration, timelineOf, withDuplicate } from "../parts/stream.ts";
import type { Script } from "../../../core/chat/scripts/script.ts";
import type { JournalSummary } from "../../../core/emulator/journal/entry.ts";
import { useDetails } from "../requests/details.ts";
import { ExchangeTabs } from "../requests/exchange-tabs.tsx";
import { countsOf } from "../requests/summary.ts";
import { EndingBadge } from "../requests/ending-badge.tsx";
import { ChoiceView } from "./choice-view.tsx";
import { Bubble } from "./message-bubble.tsx";
import { missingFrom, receivedOf } from "./missing.ts";
import type { ChatRun } from "./run-chat.ts";

interface AnswerBubbleProps {
  readonly run: ChatRun;
  /** The number of the answer among the messages, from 1. */
  readonly number: number;
  /** The index of the choice with which the conversation continues. */
  readonly choice: number;
  /** The requests of the journal. */
  readonly entries: readonly JournalSummary[];
  readonly scripts: readonly Script[];
  /** Sends the same request again. Undefined while there is no answer to replace. */
  readonly onAgain?: () => void;
  /** Continues the conversation with another choice. */
  readonly onChoose?: (choice: number) => void;
  /** Continues the conversation although the answer did not end as it should. */
  readonly onGoOn?: (() => void) | undefined;
}

/** An answer as a message of the assistant, with the evidence folded below it. */
export function AnswerBubble(props: AnswerBubbleProps): VNode {
  const { run, number, onAgain, onGoOn } = props;
  const isBroken = run.failure !== undefined && run.answer.choices.length === 0;
  return (
    <li class="bubbles">
      <Bubble
        role="assistant"
        name={`Message ${number}`}
        tone={isBroken ? "failed" : ""}
        isBusy={run.outcome === "pending"}
        head={
          <>
            {onAgain !== undefined && (
              <Button text="Ask again" class="quiet end" onClick={onAgain} />
            )}
            {onGoOn !== undefined && (
              <Button text="Go on with this" class="quiet end" onClick={onGoOn} />
            )}
          </>
        }
      >
        <Choices {...props} />
        <FailureNotice failure={run.failure} />
      </Bubble>
      <Evidence {...props} />
    </li>
  );
}

/** Says on one line how an answer ended. Unfolded, shows what was received, when, and why it was given. */
function Evidence({ run, entries, scripts }: AnswerBubbleProps): VNode {
  // Keep what was read for the next time that the evidence is unfolded.
  const [wasOpen, setOpen] = useState(false);
  const entry = entries.findLast(({ console: mark }) => mark === run.mark);
  const words = [
    entry?.script ?? entry?.answeredBy,
    run.isStream && counted(run.frames.length, "frame"),
    showDuration(run.elapsedMs),
    lastFrameOf(run),
  ];
  return (
    <details class="evidence" onToggle={({ currentTarget: { open } }) => open && setOpen(true)}>
      <summary>
        How and why <EndingBadge entry={{ status: run.status ?? 0, ended: run.outcome }} />
        <span>{words.filter((word) => typeof word === "string").join(" · ")}</span>
      </summary>
      {wasOpen && (
        <div class="panel">
          <Problems run={run} entry={entry} scripts={scripts} />
          <Figures run={run} entry={entry} />
          {(run.isStream || run.status === undefined) && (
            <TimeAxis {...run} frames={withDuplicate(run.frames, entry?.brokenBy ?? null)} />
          )}
          <KeptExchange summary={entry} />
        </div>
      )}
    </details>
  );
}

/** The journal's entry of an answer. */
function KeptExchange({ summary }: { readonly summary: JournalSummary | undefined }): VNode {
  const { entry, failure } = useDetails(summary);
  if (failure !== undefined) return <FailureNotice failure={failure} />;
  if (entry !== undefined) return <ExchangeTabs entry={entry} />;
  return <p class="muted">The journal does not have this request, or not yet.</p>;
}

interface EvidenceProps {
  readonly run: ChatRun;
  readonly entry: JournalSummary | undefined;
}

/** The oddities of an answer and, if it broke off, the missing parts. */
function Problems({
  run,
  entry,
  scripts,
}: EvidenceProps & Pick<AnswerBubbleProps, "scripts">): VNode | null {
  const script = scripts.find(({ name }) => name === entry?.script);
  const missing = missingFrom(run, script?.replies[entry?.reply ?? 0]);
  const frames = withDuplicate(run.frames, entry?.brokenBy ?? null);
  const { oddities } = timelineOf(frames, run);
  if (oddities.length === 0 && missing.length === 0) return null;
  return (
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
  );
}

/** The script that answered, the duration, and the usage. */
function Figures({ run, entry }: EvidenceProps): VNode {
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
        ["first token", firstTokenMs && showDuration(firstTokenMs)],
        ["finish reason", run.answer.choices.at(-1)?.finishReason],
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
  return `last ${showDuration(elapsedMs - last.at)} ago`;
}

/** All choices of an answer. If there are several, the conversation continues with one of them. */
function Choices({ run, choice, onChoose }: AnswerBubbleProps): VNode | null {
  const { choices } = run.answer;
  const [only] = choices;
  if (only === undefined) return <Nothing run={run} />;
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

/** The text in place of an answer that has not come. A refusal has none besides its error. */
function Nothing({ run: { outcome, failure } }: Pick<AnswerBubbleProps, "run">): VNode | null {
  if (failure !== undefined) return null;
  return <p class="muted">{outcome === "pending" ? "…" : "The answer is empty."}</p>;
}
