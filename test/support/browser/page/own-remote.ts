/** The script of the pages that are answered by our own service worker. */
import { startWorker, type WorkerEmulator } from "../../../../src/fronts/page/worker/index.ts";
import type { InsideQuestion } from "../worker/observed-worker.ts";
import { abort, cancel, play, send } from "./fetches.ts";
import { addElement } from "./elements.ts";
import type { PageMessage } from "./messages.ts";
import type { Remote } from "./remote.ts";
import { tell } from "./tell.ts";

let emulator: WorkerEmulator | undefined;
let exchanges = 0;

function tellWorkers(message: PageMessage): void {
  if (message.kind === "exchanged") exchanges += 1;
  tell(message);
}

/** As much of the page's own container as there is need for: tests are compiled without its types. */
interface Container {
  readonly controller: { readonly postMessage: (data: unknown, ports: unknown[]) => void } | null;
  readonly addEventListener: (
    type: "message",
    listener: (event: { readonly data: PageMessage }) => void,
  ) => void;
  readonly startMessages: () => void;
}

const container = (
  globalThis as unknown as { readonly navigator: { readonly serviceWorker?: Container } }
).navigator.serviceWorker;

container?.addEventListener("message", ({ data }) => tellWorkers(data));
container?.startMessages();

/** Has the worker do something past the wire. */
function inside(question: InsideQuestion): Promise<string> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.addEventListener("message", (event) =>
      resolve((event as unknown as { data: string }).data),
    );
    port1.start();
    container?.controller?.postMessage(question, [port2]);
  });
}

const remote: Omit<Remote, "startWorker"> = {
  open: async (options) => {
    exchanges = 0;
    emulator = await startWorker({ script: "backlot-worker.js", ...JSON.parse(options) });
  },
  close: async () => {
    await emulator?.stop();
    emulator = undefined;
  },
  consoleOf: async (options) =>
    (await startWorker({ script: "backlot-worker.js", ...JSON.parse(options) })).console,
  send: (sent) => {
    void send(sent, tell);
  },
  addElement,
  exchanges: () => exchanges,
  abort,
  cancel,
  rows: () => inside({ inside: "rows" }),
  insert: async (table, row) => void (await inside({ inside: "insert", table, row })),
  update: async (table, key, columns) =>
    void (await inside({ inside: "update", table, key, columns })),
  reset: async () => void (await inside({ inside: "reset" })),
  play: async (runs, baseUrl) =>
    JSON.stringify(
      await play(JSON.parse(runs), baseUrl, async () => void (await inside({ inside: "reset" }))),
    ),
};

Object.assign(globalThis, { remote, startOwnWorker: startWorker });
