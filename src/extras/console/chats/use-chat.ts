import { useEffect, useRef, useState } from "preact/hooks";
import { useConsole } from "../parts/console-context.ts";
import { type ChatRun, runChat } from "./run-chat.ts";

/** A chat that can be sent and stopped. */
export interface Chat {
  readonly run: ChatRun | undefined;
  readonly send: (body: ChatRun["body"]) => void;
  readonly stop: () => void;
}

/** The last run, to be seen again when the view is come back to. */
let lastRun: ChatRun | undefined;

/** How often a stream is drawn at most, and while nothing comes. */
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
