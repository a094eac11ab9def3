import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Balancer } from "./balancer.ts";
import { BacklotProcess } from "./backlot-process.ts";
import { scaleFixtures } from "./fixtures.ts";
import { freePort } from "./ports.ts";
import { judge, type Verdict } from "./verdict.ts";
import { Visitor } from "./visitor.ts";
import { homesOf, inCrowds } from "./visits.ts";

/** How large a run is. */
export interface ScaleOptions {
  readonly sessions: number;
  readonly processes: number;
  /** Puts something in front of the processes on these ports. */
  readonly balance: (ports: readonly number[]) => Promise<Balancer>;
  readonly tell?: (what: string) => void;
}

/** Has sessions change things, kills a process under way, starts it again, goes on, and looks what was lost. */
export async function runScale(options: ScaleOptions): Promise<Verdict> {
  const { sessions, processes: count, balance, tell = () => undefined } = options;
  const folder = await mkdtemp(join(tmpdir(), "backlot-scale-"));
  const fixtures = join(folder, "fixtures.json");
  await writeFile(fixtures, JSON.stringify(scaleFixtures));
  const processes: BacklotProcess[] = [];
  let balancer: Balancer | undefined;
  try {
    for (let at = 0; at < count; at++) {
      const port = await freePort();
      processes.push(new BacklotProcess({ port, fixtures, maxSessions: sessions }));
      await processes.at(-1)?.start();
    }
    const { url } = (balancer = await balance(processes.map(({ port }) => port)));
    const visitors = Array.from(
      { length: sessions },
      (_, at) => new Visitor(`session-${at}`, url, at % 2 === 0 ? "header" : "path"),
    );
    tell(`${count} processes, ${sessions} sessions: each stores a row and asks chat`);
    await inCrowds(visitors, (visitor) => visitor.visit("first"));
    const homes = await homesOf(processes);
    const killed = await killUnderWay(visitors, processes, tell);
    tell("looking at every session");
    return await judge({ visitors, processes, homes, ...killed });
  } finally {
    await balancer?.close();
    await Promise.all(processes.map((process) => process.end("SIGTERM")));
    await rm(folder, { recursive: true, force: true });
  }
}

/** Kills the second process when half of the second visits are over, and starts it again. */
async function killUnderWay(
  visitors: readonly Visitor[],
  processes: readonly BacklotProcess[],
  tell: (what: string) => void,
): Promise<{ readonly victim: number; readonly killedAt: number; readonly awayMs: number }> {
  const victim = 1;
  let visits = 0;
  let killedAt = 0;
  let awayMs = 0;
  const kill = async (): Promise<void> => {
    const process = processes[victim];
    tell(`killing process ${victim} with SIGKILL, and starting it again, while they go on`);
    killedAt = Date.now();
    await process?.end("SIGKILL");
    await process?.start();
    awayMs = Date.now() - killedAt;
  };
  let killing: Promise<void> | undefined;
  await inCrowds(visitors, async (visitor) => {
    if (++visits === Math.ceil(visitors.length / 2)) killing = kill();
    await visitor.visit("second");
  });
  await killing;
  return { victim, killedAt, awayMs };
}
