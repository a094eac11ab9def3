/**
 * Several Backlot processes behind nginx, which hashes the session: `npm run check -- scale --sessions 2000 --processes 4`. One
 * of them is killed and started again. It prints what was lost, and fails when that is more than the sessions of that one.
 * `--print-config` prints what nginx is told.
 */
import { defaultPort } from "../src/core/settings/settings.ts";
import { readArguments } from "./arguments.ts";
import { installNginx, nginxVersion, startNginx } from "./scale/nginx.ts";
import { sessionConfig } from "./scale/nginx-config.ts";
import { runScale } from "./scale/run-scale.ts";
import type { Verdict } from "./scale/verdict.ts";

const shownProblems = 10;

const usage = "Usage: npm run check -- scale [--sessions <n>] [--processes <n>] [--print-config]";
const { values, wholeNumber } = readArguments(usage, {
  options: {
    sessions: { type: "string", default: "2000" },
    processes: { type: "string", default: "4" },
    "print-config": { type: "boolean", default: false },
  },
});
const sessions = wholeNumber("sessions", values.sessions, { least: 2, most: 99_999 });
const processes = wholeNumber("processes", values.processes, { least: 2, most: 99_999 });
if (values["print-config"]) {
  const backends = Array.from({ length: processes }, (_, at) => defaultPort + at);
  process.stdout.write(sessionConfig({ listen: 4000, backends }));
} else process.exitCode = (await scale()) ? 0 : 1;

async function scale(): Promise<boolean> {
  const problem = nginxVersion() === undefined ? installNginx() : undefined;
  if (problem !== undefined) {
    console.error(`error: ${problem}.`);
    return false;
  }
  console.log(`load balancer: ${nginxVersion()}`);
  const started = performance.now();
  const tell = (what: string): void => {
    console.log(`${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s  ${what}`);
  };
  return report(await runScale({ sessions, processes, balance: startNginx, tell }));
}

function report(verdict: Verdict): boolean {
  const { killed, begunAnew, lostWithIt, others, lostElsewhere, surprises } = verdict;
  for (const problem of [...lostElsewhere, ...surprises].slice(0, shownProblems)) {
    console.error(`error: ${problem}`);
  }
  console.log(
    [
      "",
      `the process that was killed was away for ${(verdict.awayMs / 1000).toFixed(1)} s; ` +
        `${verdict.retries} requests got no answer then, and were sent again`,
      `its sessions: ${killed}, of which ${begunAnew} were begun anew from the fixtures, as their journals say`,
      `rows and answers that went with it: ${lostWithIt}`,
      `sessions of the other processes: ${others}; lost in them: ${lostElsewhere.length}`,
      `other surprises: ${surprises.length}`,
    ].join("\n"),
  );
  return begunAnew === killed && lostElsewhere.length === 0 && surprises.length === 0;
}
