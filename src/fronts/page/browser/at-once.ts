/**
 * The modules that a page in Vite's mode `msw` imports, together with everything that the first answers need. Vite then
 * bundles all of it into one file. Otherwise a dev server without a cache would send a chain of files one after the
 * other.
 */
export * as msw from "msw/browser";
export * as handlers from "../../msw/handlers.ts";
export * as readers from "../../../core/emulator/readers.ts";
export * as documents from "../../../core/fixture-set/tables-document.ts";
export * as entries from "../../../core/emulator/journal/read-entry.ts";
export * as tables from "../../../core/tables/document/answer.ts";
export * as chat from "../../../core/chat/answer-scene.ts";
export * as completions from "../../../core/chat/complete-chat.ts";
export * as chatRules from "../../../core/chat/request/request-rules.ts";
export { createEmulator } from "../../../index.ts";
export { startWorker } from "./start-worker.ts";
