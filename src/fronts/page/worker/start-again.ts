import { askWorker } from "./ask-worker.ts";
import type { LostNotice, StartMessage } from "./script/messages.ts";

/** The worker that this page started last and has not stopped. */
let started: { readonly path: string; readonly question: StartMessage } | undefined;
let isListening = false;

/** Sends its setup again to a worker that has lost it, as long as this page is open. */
export function startAgainWhenLost(worker: ServiceWorker, question: StartMessage): void {
  started = { path: pathOf(worker), question: { ...question, isAgain: true } };
  if (isListening) return;
  isListening = true;
  navigator.serviceWorker.addEventListener("message", ({ data, source }) => {
    if (isNotice(data) && source instanceof ServiceWorker) startAgain(source);
  });
  // Without this call, messages would wait until the document is parsed.
  navigator.serviceWorker.startMessages();
}

/** Called when the page stops the worker. */
export function forgetStarted(): void {
  started = undefined;
}

function startAgain(worker: ServiceWorker): void {
  // The worker may have another path, and so belong to another site or another Backlot.
  if (started === undefined || pathOf(worker) !== started.path) return;
  askWorker(worker, started.question).catch((error: unknown) => {
    // No caller waits for this, so the error is reported here.
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
