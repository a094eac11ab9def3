import { EmulatorError, type EmulatorErrorCode } from "../../../core/errors/emulator-error.ts";
import type { WorkerAnswer, WorkerMessage } from "./script/messages.ts";

/**
 * Sends a task to the worker, and waits until it is done. Resolves with false if the worker was replaced before that.
 */
export async function askWorker(worker: ServiceWorker, question: WorkerMessage): Promise<boolean> {
  const { port1, port2 } = new MessageChannel();
  const answer = await new Promise<WorkerAnswer | undefined>((resolve) => {
    port1.addEventListener("message", ({ data }) => resolve(data), { once: true });
    port1.start();
    const look = (): void => {
      if (worker.state === "redundant") resolve(undefined);
    };
    worker.addEventListener("statechange", look);
    look();
    worker.postMessage(question, [port2]);
  });
  port1.close();
  if (answer === undefined) return false;
  if (answer.ok) {
    // The page can go on, and its console is where a developer sees this.
    // oxlint-disable-next-line no-console
    for (const warning of answer.warnings) console.warn(`backlot: ${warning}`);
    return true;
  }
  const { code, message, problems } = answer;
  if (code === undefined) throw new Error(`The worker failed: ${message}`);
  // The worker has the same version, so it sends only codes that exist.
  throw new EmulatorError(code as EmulatorErrorCode, message, { problems });
}
