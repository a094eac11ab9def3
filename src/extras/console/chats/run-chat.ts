import type { Client } from "../api/client.ts";
import { EventReader } from "../api/event-reader.ts";
import { type Failure, readFailure, unansweredFailure } from "../api/failure.ts";
import type { ConsoleSetup } from "../api/setup.ts";
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

/** How a chat is run. */
export interface ChatRunOptions {
  readonly client: Client;
  readonly setup: ConsoleSetup;
  readonly signal: AbortSignal;
  /** Called after each step, including the last. */
  readonly onStep: (run: ChatRun) => void;
}

/** Sends a chat and follows its answer to the end. It does not reject. */
async function runChat(body: ChatRun["body"], asking: ChatRunOptions): Promise<void> {
  const { client, setup, signal, onStep } = asking;
  const started = performance.now();
  const elapsed = (): number => performance.now() - started;
  let run: ChatRun = { ...firstRun, body };
  const step = (part: Partial<ChatRun>): void => {
    run = { ...run, ...part, elapsedMs: elapsed() };
    onStep(run);
  };
  step({});
  try {
    const asked = { method: "POST", body, signal } as const;
    const response = await client.openChat(setup, "/chat/completions", asked);
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
    step({ status: response.status, headMs: elapsed(), isStream });
    if (isStream) await readFrames(response, elapsed, (part) => step(part(run)));
    else await readWhole(response, step);
  } catch (error) {
    const outcome = signal.aborted ? "stopped" : "reset";
    step({ outcome, ...(signal.aborted ? {} : { failure: unansweredFailure(error) }) });
  }
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

async function readFrames(
  response: Response,
  elapsed: () => number,
  step: (part: (run: ChatRun) => Partial<ChatRun>) => void,
): Promise<void> {
  const events = new EventReader();
  for await (const read of events.eventsOf(response)) {
    const at = elapsed();
    step(({ frames, answer }) => {
      const all = [...frames];
      for (const event of read) all.push(frameOf(event, at, all.at(-1)));
      const added = all.slice(frames.length);
      return {
        frames: all,
        answer: added.reduce((before, { data }) => withChunk(before, data), answer),
        text: events.rest,
      };
    });
  }
  step(({ frames }) => ({
    outcome: frames.some(({ kind }) => kind === "done") ? "done" : "cut",
  }));
}

async function readWhole(
  response: Response,
  step: (part: Partial<ChatRun>) => void,
): Promise<void> {
  const text = await response.text();
  if (!response.ok) {
    step({ text, outcome: "done", failure: readFailure(response.status, text) });
    return;
  }
  try {
    step({ text, outcome: "done", answer: withChunk(noAnswerYet, JSON.parse(text)) });
  } catch {
    const message = "The body is not valid JSON.";
    step({ text, outcome: "cut", failure: { status: response.status, message } });
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
      await runChat(body, { client, setup, signal: mine.signal, onStep });
      clearInterval(drawing);
      if (ending.current === mine) announce(`The answer is complete: ${lastRun?.outcome ?? ""}.`);
    };
    void follow();
  };
  return { run, send, stop: () => ending.current?.abort() };
}
