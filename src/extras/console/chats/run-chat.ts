import { EventReader } from "../api/event-reader.ts";
import { type Failure, readFailure, unansweredFailure } from "../api/failure.ts";
import { type ChatAnswer, noAnswerYet, withChunk } from "./answer.ts";
import { frameOf, type ReceivedFrame } from "./frames.ts";
import type { StreamOutcome } from "./timeline.ts";
import { useEffect, useRef, useState } from "preact/hooks";
import { useConsole } from "../parts/console-context.ts";

/** A request and its result so far. */
export interface ChatRun {
  readonly body: Readonly<Record<string, unknown>>;
  readonly outcome: StreamOutcome;
  /** Undefined until the head arrives. */
  readonly status: number | undefined;
  readonly headMs: number | undefined;
  readonly isStream: boolean;
  readonly frames: readonly ReceivedFrame[];
  readonly answer: ChatAnswer;
  /** The body of a reply that is no stream, or the text after the last whole frame. */
  readonly text: string;
  readonly elapsedMs: number;
  readonly failure: Failure | undefined;
}

const firstRun: ChatRun = {
  body: {},
  outcome: "running",
  status: undefined,
  headMs: undefined,
  isStream: false,
  frames: [],
  answer: noAnswerYet,
  text: "",
  elapsedMs: 0,
  failure: undefined,
};

/** Follows the answer to a chat to its end. Calls `onStep` after each step, including the last. It does not reject. */
async function runChat(
  body: ChatRun["body"],
  open: () => Promise<Response>,
  onStep: (run: ChatRun) => void,
): Promise<void> {
  const started = performance.now();
  const elapsed = (): number => performance.now() - started;
  let run: ChatRun = { ...firstRun, body };
  const step = (part: Partial<ChatRun>): void => {
    run = { ...run, ...part, elapsedMs: elapsed() };
    onStep(run);
  };
  step({});
  try {
    const response = await open();
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
    step({ status: response.status, headMs: elapsed(), isStream });
    if (!isStream) return step(await readWhole(response));
    const events = new EventReader();
    for await (const read of events.eventsOf(response)) {
      const at = elapsed();
      const frames = [...run.frames];
      for (const event of read) frames.push(frameOf(event, at, frames.at(-1)));
      const added = frames.slice(run.frames.length);
      const answer = added.reduce((before, { data }) => withChunk(before, data), run.answer);
      step({ frames, answer, text: events.rest });
    }
    step({ outcome: run.frames.some(({ kind }) => kind === "done") ? "done" : "cut" });
  } catch (error) {
    const isStopped = error instanceof DOMException && error.name === "AbortError";
    step(
      isStopped ? { outcome: "stopped" } : { outcome: "reset", failure: unansweredFailure(error) },
    );
  }
}

async function readWhole(response: Response): Promise<Partial<ChatRun>> {
  const { status } = response;
  const text = await response.text();
  if (!response.ok) return { text, outcome: "done", failure: readFailure(status, text) };
  try {
    return { text, outcome: "done", answer: withChunk(noAnswerYet, JSON.parse(text)) };
  } catch {
    return { text, outcome: "cut", failure: { status, message: "The body is not valid JSON." } };
  }
}

/** A chat that can be sent and stopped. */
interface Chat {
  readonly run: ChatRun | undefined;
  readonly send: (body: ChatRun["body"]) => void;
  readonly stop: () => void;
}

/** The last run, shown again when the user returns to the view. */
let lastRun: ChatRun | undefined;

/** The time between two updates of a running stream, in milliseconds. */
const drawMs = 80;

/** Runs one chat at a time; another one, or leaving the view, stops it. */
export function useChat(): Chat {
  const { client, setup, announce } = useConsole();
  const [run, setRun] = useState(lastRun);
  const ending = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => ending.current?.abort(), []);
  const send = (body: ChatRun["body"]): void => {
    ending.current?.abort();
    const mine = new AbortController();
    ending.current = mine;
    const started = performance.now();
    const drawing = setInterval(() => {
      if (lastRun?.outcome !== "running") return;
      setRun({ ...lastRun, elapsedMs: performance.now() - started });
    }, drawMs);
    const onStep = (next: ChatRun): void => {
      if (ending.current !== mine) return;
      lastRun = next;
      if (next.outcome === "running" && next.frames.length > 0) return;
      setRun(next);
    };
    const follow = async (): Promise<void> => {
      const asked = { method: "POST", body, signal: mine.signal } as const;
      await runChat(body, () => client.openChat(setup, "/chat/completions", asked), onStep);
      clearInterval(drawing);
      if (ending.current === mine) announce(`The answer is complete: ${lastRun?.outcome ?? ""}.`);
    };
    void follow();
  };
  return { run, send, stop: () => ending.current?.abort() };
}
