import type { VNode } from "preact";
import { Facts } from "../parts/facts.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { JsonView } from "../parts/json-view.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { Status } from "../requests/status.tsx";
import type { AnsweredCall, AnsweredChoice } from "./answer.ts";
import type { ChatRun } from "./run-chat.ts";
import { toneOf } from "./frames.ts";
import { TimeAxis } from "./time-axis.tsx";
import { outcomes, showDuration, type StreamTimeline, timelineOf } from "./timeline.ts";
import { parseTypedJson } from "../parts/json-text.ts";

interface ChatResultProps {
  readonly run: ChatRun;
  readonly onContinue: (choice: AnsweredChoice) => void;
}

/** The result of a request: its timing, its contents and its bytes. */
export function ChatResult({ run, onContinue }: ChatResultProps): VNode {
  const timeline = timelineOf(run.frames, run);
  const { words, tone } = isRefused(run)
    ? { words: "refused", tone: "warn" }
    : outcomes[run.outcome];
  return (
    <section class="panel" aria-label="Answer" aria-busy={run.outcome === "running"}>
      <h2>
        {run.status !== undefined && <Status status={run.status} />}{" "}
        <span class={tone}>{words}</span>
      </h2>
      <Totals run={run} timeline={timeline} />
      {(run.isStream || run.status === undefined) && <TimeAxis run={run} timeline={timeline} />}
      {timeline.oddities.length > 0 && (
        <ul class="notice warn" aria-label="Problems">
          {timeline.oddities.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      <FailureNotice failure={run.failure} />
      <Tabs
        label="Parts of the answer"
        tabs={[
          ["answer", "Answer", () => <AnswerText run={run} onContinue={onContinue} />],
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

/** Whether the whole answer is an error. */
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

/** The received bytes, with the time of each frame. */
function FrameList({ run: { frames, text, isStream } }: { readonly run: ChatRun }): VNode {
  if (!isStream) return <JsonView label="Body" value={text === "" ? "(empty)" : text} />;
  return (
    <div class="block" tabIndex={0} role="region" aria-label="Raw frames">
      {frames.map((frame, index) => (
        <div key={index} class="frame">
          <span class="number">{frame.at.toFixed(0)} ms</span>
          <span class={toneOf(frame)}>{frame.isRepeated ? "again" : frame.kind}</span>
          <code>{frame.raw.trimEnd()}</code>
        </div>
      ))}
      {text !== "" && (
        <div class="frame">
          <span class="number" />
          <span class="bad">unfinished</span>
          <code>{text}</code>
        </div>
      )}
    </div>
  );
}

/** The contents of an answer, choice by choice. */
function AnswerText({ run, onContinue }: ChatResultProps): VNode {
  const { choices } = run.answer;
  if (choices.length === 0) return <p class="muted">{nothingText(run)}</p>;
  return (
    <>
      {choices.map((choice, index) => (
        <article key={index} class="stack" aria-label={`Choice ${index}`}>
          {choices.length > 1 && <h3>Choice {index}</h3>}
          <Choice choice={choice} />
          {run.outcome !== "running" && (
            <div class="row">
              <button type="button" onClick={() => onContinue(choice)}>
                Continue the conversation
              </button>
            </div>
          )}
        </article>
      ))}
    </>
  );
}

function Choice({ choice }: { readonly choice: AnsweredChoice }): VNode {
  const { content, reasoning, refusal, toolCalls, finishReason } = choice;
  return (
    <>
      {reasoning !== "" && (
        <div class="aside violet">
          <h4>reasoning</h4>
          <p class="said muted">{reasoning}</p>
        </div>
      )}
      {content !== "" && <p class="said">{content}</p>}
      {refusal !== "" && (
        <div class="aside bad">
          <h4>refusal</h4>
          <p class="said">{refusal}</p>
        </div>
      )}
      {toolCalls.map((call, index) => (
        <ToolCall key={index} call={call} />
      ))}
      {finishReason !== undefined && (
        <p class="muted">
          finish reason <code>{finishReason}</code>
        </p>
      )}
    </>
  );
}

function ToolCall({ call }: { readonly call: AnsweredCall }): VNode {
  const read = parseTypedJson(call.arguments);
  return (
    <div class="aside warn">
      <h4>
        calls <code>{call.name}</code> <span class="muted">{call.id}</span>
      </h4>
      <JsonView label={`Arguments of ${call.name}`} value={read.ok ? read.value : call.arguments} />
    </div>
  );
}
