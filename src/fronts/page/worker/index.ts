export { startWorker } from "./start-worker.ts";
export type { WorkerOptions } from "./options.ts";
export type { WorkerEmulator } from "./start-worker.ts";
export type { Persistence } from "./page-session.ts";
