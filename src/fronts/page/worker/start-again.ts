import { askWorker } from "./ask-worker.ts";
import type { LostNotice, StartMessage } from "./script/messages.ts";

/** What this page started last, and has not stopped. */
let started: { readonly path: string; readonly question: StartMessage } | undefined;
let isListening = false;

/** Gives a worker that lost its setup the same again, as long as this page is open. */
export function startAgainWhenLost(worker: ServiceWorker, question: StartMessage): void {
  started = { path: pathOf(worker), question: { ...question, isAgain: true } };
  if (isListening) return;
  isListening = true;
  navigator.serviceWorker.addEventListener("message", ({ data, source }) => {
    if (isNotice(data) && source instanceof ServiceWorker) startAgain(source);
  });
  // Otherwise they would wait until the document is parsed.
  navigator.serviceWorker.startMessages();
}

/** The page was stopped. */
export function forgetStarted(): void {
  started = undefined;
}

function startAgain(worker: ServiceWorker): void {
  // A worker of another folder is not ours, or a different one of ours.
  if (started === undefined || pathOf(worker) !== started.path) return;
  askWorker(worker, started.question).catch((error: unknown) => {
    // Nobody has called anything.
    // oxlint-disable-next-line no-console
    console.error("backlot:", error);
  });
}

function pathOf({ scriptURL }: ServiceWorker): string {
  return new URL(scriptURL).pathname;
}

function isNotice(data: unknown): data is LostNotice {
  return typeof data === "object" && data !== null && "backlot" in data && data.backlot === "lost";
}
