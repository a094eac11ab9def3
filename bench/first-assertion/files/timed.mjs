// Writes how long a file takes to its first assertion, in milliseconds, without the start of Node or of vitest.
import { writeFileSync } from "node:fs";

const { TIMED_FILE, TIMED_RESULT } = process.env;
const started = performance.now();
await import(/* @vite-ignore */ TIMED_FILE);
writeFileSync(TIMED_RESULT, String(performance.now() - started));
