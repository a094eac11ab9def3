import { EventReader } from "../api/event-reader.ts";
import { type Failure, readFailure, unansweredFailure } from "../api/failure.ts";
import { type ChatAnswer, noAnswerYet, withChunk } from "./answer.ts";
import { frameOf, type ReceivedFrame } from "../parts/frames.ts";
import type { Ending } from "../parts/timeline.ts";
import { useEffect, useRef, useState } from "preact/hooks";
import { useConsole } from "../parts/console-context.ts";

/** A request and its result so far. */
export interface ChatRun {
  /** What the journal finds the request by. */
  readonly mark: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly outcome: Ending;
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

const firstRun: Omit<ChatRun, "mark" | "body"> = {
  outcome: "pending",
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
  asked: Pick<ChatRun, "mark" | "body">,
  open: () => Promise<Response>,
  onStep: (run: ChatRun) => void,
): Promise<void> {
  const started = performance.now();
  const elapsed = (): number => performance.now() - started;
  let run: ChatRun = { ...firstRun, ...asked };
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
    step({ outcome: run.frames.some(({ kind }) => kind === "done") ? "complete" : "cut" });
  } catch (error) {
    const isStopped = error instanceof DOMException && error.name === "AbortError";
    step(
      isStopped ? { outcome: "aborted" } : { outcome: "reset", failure: unansweredFailure(error) },
    );
  }
}

async function readWhole(response: Response): Promise<Partial<ChatRun>> {
  const { status } = response;
  const text = await response.text();
  if (!response.ok) return { text, outcome: "refused", failure: readFailure(status, text) };
  try {
    return { text, outcome: "complete", answer: withChunk(noAnswerYet, JSON.parse(text)) };
  } catch {
    return {
      text,
      outcome: "malformed",
      failure: { status, message: "The body is not valid JSON." },
    };
  }
}

/** A chat that can be sent and stopped. */
interface Chat {
  /** The request that is under way, or the last one. */
  readonly run: ChatRun | undefined;
  readonly send: (body: ChatRun["body"]) => void;
  readonly stop: () => void;
  /** Forgets the run. */
  readonly clear: () => void;
}

/** The last run, shown again when the user returns to the view. */
let lastRun: ChatRun | undefined;

/** The time between two updates of a running stream, in milliseconds. */
const drawMs = 80;

/** Runs one chat at a time; another one, or leaving the view, stops it. `onEnd` is called with each that ended. */
export function useChat(onEnd: (run: ChatRun) => void): Chat {
  const { client, setup, announce } = useConsole();
  const [run, setRun] = useState(lastRun);
  const ending = useRef<AbortController | undefined>(undefined);
  const latestOnEnd = useRef(onEnd);
  latestOnEnd.current = onEnd;
  useEffect(() => () => ending.current?.abort(), []);
  const show = (next: ChatRun | undefined): void => {
    lastRun = next;
    setRun(next);
  };
  const send = (body: ChatRun["body"]): void => {
    ending.current?.abort();
    const mine = new AbortController();
    ending.current = mine;
    const started = performance.now();
    const mark = `chat ${performance.timeOrigin + started}`;
    const drawing = setInterval(() => {
      if (lastRun?.outcome !== "pending") return;
      setRun({ ...lastRun, elapsedMs: performance.now() - started });
    }, drawMs);
    const onStep = (next: ChatRun): void => {
      if (ending.current !== mine) return;
      lastRun = next;
      if (next.outcome === "pending" && next.frames.length > 0) return;
      setRun(next);
      if (next.outcome !== "pending") latestOnEnd.current(next);
    };
    const follow = async (): Promise<void> => {
      const asked = { method: "POST", body, signal: mine.signal, mark } as const;
      const open = (): Promise<Response> => client.openChat(setup, "/chat/completions", asked);
      await runChat({ mark, body }, open, onStep);
      clearInterval(drawing);
      if (ending.current === mine) announce("The answer has ended.");
    };
    void follow();
  };
  return { run, send, stop: () => ending.current?.abort(), clear: () => show(undefined) };
}
