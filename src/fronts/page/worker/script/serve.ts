import type { Host } from "./host.ts";
import type { WorkerMessage } from "./messages.ts";

declare const self: ServiceWorkerGlobalScope;

/**
 * Makes a host answer the events of this service worker. Browsers require that the listeners are added when the script
 * first runs.
 */
export function serveAs(host: Host): void {
  self.addEventListener("install", (event) => event.waitUntil(self.skipWaiting()));
  // Pages that did not start the worker are taken over as soon as the saved state is restored.
  self.addEventListener("activate", (event) => {
    event.waitUntil(host.wake().then(() => self.clients.claim()));
  });
  self.addEventListener("fetch", (event) => host.fetch(event));
  self.addEventListener("message", (event) => {
    const question: unknown = event.data;
    const [port] = event.ports;
    if (!isQuestion(question) || port === undefined || !(event.source instanceof Client)) return;
    event.waitUntil(host.answerPage(question, event.source, port));
  });
}

function isQuestion(data: unknown): data is WorkerMessage {
  return typeof data === "object" && data !== null && "backlot" in data;
}
