// Loaded before the command: tells whoever started it what it holds, and moves its clock.
import { monitorEventLoopDelay } from "node:perf_hooks";
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

// Each sample is how late a timer of 1 ms came, so that the latest one is the longest block.
const delays = monitorEventLoopDelay({ resolution: 1 });

function watchLoop() {
  delays.enable();
  delays.reset();
  return 0;
}

function longestBlock() {
  delays.disable();
  return delays.max / 1e6;
}

const answers = { measure, watchLoop, longestBlock, jump: ({ ms }) => jump(ms) };
process.on("message", (asked) => process.send(answers[asked.kind](asked)));
process.on("disconnect", () => process.exit());
// The command ends by itself, as it does without this.
process.channel.unref();
