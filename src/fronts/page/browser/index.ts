export { startWorker } from "./start-worker.ts";
export type { BrowserEmulator, WorkerOptions } from "./start-worker.ts";
export type {
  HandleFrame,
  HandleRequest,
  UnhandledOptions,
  UnhandledStrategy,
} from "../../msw/unhandled.ts";
