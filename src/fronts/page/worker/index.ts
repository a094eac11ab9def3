export { startWorker } from "./start-worker.ts";
export type { WorkerEmulator, WorkerOptions } from "./start-worker.ts";
export type { Persistence } from "../persistence.ts";
