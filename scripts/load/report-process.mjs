// Loaded before the command: tells whoever started it what it holds, and moves its clock.
import { existsSync, readFileSync } from "node:fs";
import { memoryUsage } from "node:process";

const wallClock = Date.now;
let aheadMs = 0;

function measure() {
  for (let time = 0; time < 2; time++) globalThis.gc();
  const { heapUsed, external, rss } = memoryUsage();
  const resources = {};
  for (const kind of process.getActiveResourcesInfo()) {
    resources[kind] = (resources[kind] ?? 0) + 1;
  }
  return { heapUsed, external, rss, resources };
}

// What a jump of the system's clock is to a process: the time of day jumps, `performance` and timers do not.
function jump(ms) {
  aheadMs += ms;
  Date.now = () => wallClock() + aheadMs;
  return aheadMs;
}

const waits = "/proc/thread-self/schedstat";
const tellsWaits = existsSync(waits);

// Milliseconds without those in which the thread was ready and other processes had its core, where the system tells.
function ownTime() {
  const waited = tellsWaits ? Number(readFileSync(waits, "utf8").split(" ")[1]) / 1e6 : 0;
  return performance.now() - waited;
}

let watching;
let longest = 0;

// Each sample is how late a timer of 1 ms came, so that the latest one is the longest block.
function watchLoop() {
  longest = 0;
  let before = ownTime();
  watching = setInterval(() => {
    const now = ownTime();
    longest = Math.max(longest, now - before - 1);
    before = now;
  }, 1);
  watching.unref();
  return 0;
}

function longestBlock() {
  clearInterval(watching);
  return longest;
}

const answers = { measure, watchLoop, longestBlock, jump: ({ ms }) => jump(ms) };
process.on("message", (asked) => process.send(answers[asked.kind](asked)));
process.on("disconnect", () => process.exit());
// The command ends by itself, as it does without this.
process.channel.unref();
