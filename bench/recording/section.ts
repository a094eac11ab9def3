/**
 * The recording proxy beside the service itself, and beside a proxy that only passes on: what it adds to the first chunk,
 * and what it takes of a stream.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median } from "../cpu-time.ts";
import { Child } from "../process/child.ts";
import { type Goals, printSheet, showFigure } from "../report.ts";
import { ServerProcess } from "../requests/server-process.ts";
import type { Setup } from "../setup.ts";
import { benchArrivals } from "./arrivals.ts";
import type { StreamLoad, streamCalls, StreamTimes } from "./client.ts";

const command = new URL("../../dist/command/backlot.js", import.meta.url);
const service = new URL("service.mjs", import.meta.url);
const passThrough = new URL("pass-through.mjs", import.meta.url);

type Client = Child<typeof streamCalls>;
type Load = Omit<StreamLoad, "port">;

/** The service and the proxies have their turns, so often: what disturbs the machine disturbs all. The first does not count. */
interface Rounds {
  readonly rounds: number;
}

/** V8 goes on compiling for that long. */
const warmUp: Load = { events: 20, count: 1500, restMs: 0 };
/** Short ones, of which the first chunk is looked at, with the time between that a conversation leaves. */
const short: Load & Rounds = { events: 20, count: 20, restMs: 20, rounds: 25 };
/** A long one, some 9 MB, and time to have it recorded. */
const long: Load & Rounds = { events: 50_000, count: 1, restMs: 1000, rounds: 9 };

export async function benchRecording({ goals }: Pick<Setup, "goals">): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "backlot-bench-"));
  const client: Client = new Child<typeof streamCalls>("recording/client.ts");
  const started: ServerProcess[] = [];
  try {
    const direct = await ServerProcess.start(service, (port) => [String(port)]);
    started.push(direct);
    const upstream = `http://127.0.0.1:${direct.port}/v1`;
    const proxy = await ServerProcess.start(command, (port) =>
      `record --mode all --upstream ${upstream} --log silent --port ${port}`
        .split(" ")
        .concat("--out", join(folder, "cassettes")),
    );
    started.push(proxy);
    const bare = await ServerProcess.start(passThrough, (port) => [port, direct.port].map(String));
    started.push(bare);
    for (const { port } of started) await client.call("ask", { ...warmUp, port });
    const firsts = await compare(client, { direct, bare, proxy }, short, ({ first }) => first);
    const rates = await compare(client, { direct, bare, proxy }, long, rateOf);
    reportWays({ firsts, rates }, goals);
    await benchArrivals({ client, service: direct, folder: join(folder, "replayed"), goals });
  } finally {
    await client.close();
    for (const server of started) await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Ways<Of> {
  readonly direct: Of;
  readonly bare: Of;
  readonly proxy: Of;
}

/** What was measured each way, and of the proxy's share of the direct way the median of the rounds. */
type Measured = Ways<number> & { readonly ratio: number };

function reportWays(
  { firsts, rates }: { readonly firsts: Measured; readonly rates: Measured },
  goals: Goals,
): void {
  const added = firsts.proxy - firsts.direct;
  const kept = rates.ratio;
  printSheet({
    title: "Recording: a stream from the service, and through the proxy",
    head: ["", "direct", "a bare proxy", "through backlot record", "", "goal"],
    rows: [
      [
        "first chunk, median, ms",
        showFigure(firsts.direct),
        showFigure(firsts.bare),
        showFigure(firsts.proxy),
        `+ ${showFigure(added)} ms`,
        goals.judge({
          name: "recording, first chunk",
          value: added,
          goal: 1,
          is: "atMost",
          unit: "ms",
        }),
      ],
      [
        "stream of 50,000 events, MB a second",
        showFigure(rates.direct),
        showFigure(rates.bare),
        showFigure(rates.proxy),
        `${showFigure(100 * kept)} %`,
        goals.judge({
          name: "recording, throughput",
          value: 100 * kept,
          goal: 90,
          is: "atLeast",
          unit: "%",
        }),
      ],
    ],
    notes: [
      "Each event is a write of its own. Client, service and proxy are three processes: with fewer cores they share them.",
      "The bare proxy pipes node:http to node:http and keeps nothing. Goals are judged against the direct way.",
    ],
  });
}

/** Megabytes a second, from the first byte to the last. */
function rateOf({ first, all, bytes }: StreamTimes): number {
  return bytes / 1000 / (all - first);
}

/** Medians of all rounds; of the ratio, over those within a round. */
async function compare(
  client: Client,
  servers: Ways<ServerProcess>,
  load: Load & Rounds,
  // oxlint-disable-next-line max-params
  value: (times: StreamTimes) => number,
): Promise<Measured> {
  const found: Ways<number>[] = [];
  for (let round = 0; round <= load.rounds; round++) {
    const time = async ({ port }: ServerProcess): Promise<number> =>
      median((await client.call("ask", { ...load, port })).map(value));
    const direct = await time(servers.direct);
    const proxy = await time(servers.proxy);
    const bare = await time(servers.bare);
    if (round > 0) found.push({ direct, bare, proxy });
  }
  return {
    direct: median(found.map(({ direct }) => direct)),
    bare: median(found.map(({ bare }) => bare)),
    proxy: median(found.map(({ proxy }) => proxy)),
    ratio: median(found.map(({ direct, proxy }) => proxy / direct)),
  };
}
