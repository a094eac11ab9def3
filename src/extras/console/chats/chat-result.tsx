import type { VNode } from "preact";
import { Facts } from "../parts/facts.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { JsonView } from "../parts/json-view.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { Status } from "../requests/status.tsx";
import type { AnsweredChoice } from "./answer.ts";
import { AnswerText } from "./answer-text.tsx";
import { FrameList } from "./frame-list.tsx";
import type { ChatRun } from "./run-chat.ts";
import { TimeAxis } from "./time-axis.tsx";
import { showDuration, timelineOf, type StreamTimeline } from "./timeline.ts";

interface ChatResultProps {
  readonly run: ChatRun;
  readonly onContinue: (choice: AnsweredChoice) => void;
}

const outcomes: Readonly<Record<ChatRun["outcome"], string>> = {
  running: "running…",
  done: "complete",
  cut: "cut short",
  reset: "broken off",
  stopped: "stopped",
};

/** What became of a request: when what came, what it says, and its bytes. */
export function ChatResult({ run, onContinue }: ChatResultProps): VNode {
  const timeline = timelineOf(run.frames, run);
  return (
    <section class="panel" aria-label="Answer" aria-busy={run.outcome === "running"}>
      <div class="panel-head">
        <h2>
          {run.status !== undefined && <Status status={run.status} />}{" "}
          <span class={`outcome ${isRefused(run) ? "cut" : run.outcome}`}>
            {isRefused(run) ? "refused" : outcomes[run.outcome]}
          </span>
        </h2>
      </div>
      <Totals run={run} timeline={timeline} />
      {(run.isStream || run.status === undefined) && <TimeAxis run={run} timeline={timeline} />}
      {timeline.oddities.length > 0 && (
        <ul class="notice oddities" aria-label="What is odd">
          {timeline.oddities.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      <FailureNotice failure={run.failure} />
      <Tabs
        label="Parts of the answer"
        tabs={[
          [
            "answer",
            "Answer",
            () => (
              <AnswerText
                answer={run.answer}
                nothing={nothingText(run)}
                isOver={run.outcome !== "running"}
                onContinue={onContinue}
              />
            ),
          ],
          [
            "raw",
            run.isStream ? `Raw frames (${run.frames.length})` : "Raw body",
            () => <FrameList run={run} />,
          ],
          ["request", "Request", () => <JsonView label="Body of the request" value={run.body} />],
        ]}
      />
    </section>
  );
}

/** Whether the whole answer says that there is none. */
function isRefused({ outcome, status = 0 }: ChatRun): boolean {
  return outcome === "done" && status >= 400;
}

function nothingText(run: ChatRun): string {
  if (isRefused(run)) return "The answer is only an error.";
  return run.outcome === "running" ? "Nothing yet." : "The answer is empty.";
}

function Totals({
  run,
  timeline,
}: {
  readonly run: ChatRun;
  readonly timeline: StreamTimeline;
}): VNode {
  const { firstTokenMs, totalMs, longestGap, tokens } = timeline;
  const usage = run.answer.usage?.["completion_tokens"];
  const facts = [
    ["total", showDuration(totalMs)],
    ["head", shownMs(run.headMs)],
    ["first token", shownMs(firstTokenMs)],
    ["chunks", run.isStream ? String(tokens) : undefined],
    ["longest gap", shownMs(longestGap && longestGap.to - longestGap.from)],
    ["tokens", typeof usage === "number" ? String(usage) : undefined],
    ["model", run.answer.model],
  ] as const;
  return <Facts facts={facts} />;
}

function shownMs(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : showDuration(ms);
}
