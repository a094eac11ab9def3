import { isLastEvent } from "../../../core/chat/forms/responses-answer.ts";
import type { ConversationForm } from "../../../core/http/endpoint.ts";
import { isObject } from "../../../core/schema/json.ts";
import { eventsOf } from "../api/stream-events.ts";
import { type Failure, readFailure, unansweredFailure } from "../api/client.ts";
import { type ChatAnswer, noAnswerYet, withChunk } from "../../../core/chat/forms/chat-answer.ts";
import { frameOf, type ReceivedFrame, type Ending } from "../parts/stream.ts";
import { useEffect, useRef, useState } from "preact/hooks";
import { useConsole } from "../parts/use-console.ts";

/** A request and its result so far. */
export interface ChatRun {
  /** The header value by which the request is found in the journal. */
  readonly mark: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly outcome: Ending;
  /** Undefined until the head arrives. */
  readonly status: number | undefined;
  readonly isStream: boolean;
  readonly frames: readonly ReceivedFrame[];
  readonly answer: ChatAnswer;
  /** The body of a reply that is no stream. */
  readonly text: string;
  readonly elapsedMs: number;
  readonly failure: Failure | undefined;
}

const firstRun: Omit<ChatRun, "mark" | "body"> = {
  outcome: "pending",
  status: undefined,
  isStream: false,
  frames: [],
  answer: noAnswerYet,
  text: "",
  elapsedMs: 0,
  failure: undefined,
};

/**
 * Follows the answer to a chat until it ends. Calls `onStep` after each step, including the last. It does not reject.
 */
async function runChat(
  begun: ChatRun,
  open: () => Promise<Response>,
  onStep: (run: ChatRun) => void,
): Promise<void> {
  const started = performance.now();
  const elapsed = (): number => performance.now() - started;
  let run = begun;
  const step = (part: Partial<ChatRun>): void => {
    run = { ...run, ...part, elapsedMs: elapsed() };
    onStep(run);
  };
  step({});
  try {
    const response = await open();
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
    step({ status: response.status, isStream });
    if (!isStream) return step(await readWhole(response));
    // The list grows in place: a copy for each part that arrives would take the square of a long stream's time.
    const frames: ReceivedFrame[] = [];
    for await (const read of eventsOf(response)) {
      const at = elapsed();
      const added = read.map((event) => frameOf(event, at));
      for (const frame of added) frames.push(frame);
      const answer = added.reduce((before, { data }) => withChunk(before, data), run.answer);
      step({ frames, answer });
    }
    step({ outcome: endingOf(run.frames) });
  } catch (error) {
    const isStopped = error instanceof DOMException && error.name === "AbortError";
    step(
      isStopped ? { outcome: "aborted" } : { outcome: "reset", failure: unansweredFailure(error) },
    );
  }
}

/** How a stream ended that was closed properly. */
function endingOf(frames: readonly ReceivedFrame[]): Ending {
  if (frames.some(({ kind }) => kind === "error")) return "failed";
  return frames.some(isEnd) ? "complete" : "cut";
}

/** Whether a frame ends a stream that is whole: `[DONE]`, or the last event of a response. */
function isEnd({ kind, data }: ReceivedFrame): boolean {
  return kind === "done" || (isObject(data) && isLastEvent(data));
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
  /** The current request, or the last one. */
  readonly run: ChatRun | undefined;
  /** Sends a request, and returns the mark by which the journal finds it. */
  readonly send: (body: ChatRun["body"], form: ConversationForm) => string;
  readonly stop: () => void;
  /** Forgets the run. */
  readonly clear: () => void;
}

/** The time between two updates of a running stream, in milliseconds. */
const drawMs = 80;

/**
 * Runs one chat at a time. Sending another one, or leaving the view, stops it. `onEnd` is called for each chat that
 * ended.
 */
export function useChat(onEnd: (run: ChatRun) => void): Chat {
  const { client, setup, announce } = useConsole();
  const [run, setRun] = useState<ChatRun>();
  const ending = useRef(new AbortController());
  const latestOnEnd = useRef(onEnd);
  latestOnEnd.current = onEnd;
  useEffect(() => () => ending.current.abort(), []);
  const send = async (
    mark: string,
    body: ChatRun["body"],
    form: ConversationForm,
  ): Promise<void> => {
    ending.current.abort();
    const { signal } = (ending.current = new AbortController());
    const started = performance.now();
    let latest: ChatRun = { ...firstRun, mark, body };
    const drawing = setInterval(() => {
      setRun({ ...latest, frames: [...latest.frames], elapsedMs: performance.now() - started });
    }, drawMs);
    const asked = { method: "POST", body, signal, mark } as const;
    const open = (): Promise<Response> => client.openConversation(setup, form, asked);
    setRun(latest);
    await runChat(latest, open, (next) => {
      latest = next;
    });
    clearInterval(drawing);
    // Another chat may have been started in the meantime.
    if (ending.current.signal !== signal) return;
    setRun(latest);
    announce("The answer has ended.");
    latestOnEnd.current(latest);
  };
  return {
    run,
    send: (body, form) => {
      const mark = `chat ${performance.timeOrigin + performance.now()}`;
      void send(mark, body, form);
      return mark;
    },
    stop: () => ending.current.abort(),
    clear: () => setRun(undefined),
  };
}
