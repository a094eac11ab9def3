import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import type { Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { latencies } from "./ask.ts";
import type { Holding } from "./backlot-process.ts";
import { atMost, megabytes, milliseconds, percentile } from "./figures.ts";
import { open, requestText, streamRequest } from "./raw-client.ts";
import type { Figure, Scenario, Stage } from "./scenario.ts";

const lengths = [1_000_000, 20_000_000] as const;
const clients = 10;
const settleMs = 1_500;
const asked = 200;

/** A stream has at most 65,536 pieces, of some 150 bytes; besides them what is on its way. */
const streamBytes = 14_000_000;
/** A page is one text, and what is on its way. */
const pageOverhead = 5_000_000;

interface Kind {
  readonly name: string;
  readonly request: string;
  /** How many bytes are read each 100 ms. */
  readonly reads: number;
  /** The most memory that a client may cost. */
  readonly mostBytes: number;
  /** What is looked at: what pieces need for a moment while they are made would be in the RSS. */
  readonly memory: "heap" | "RSS";
}

function kinds(length: number): readonly Kind[] {
  const shown = megabytes(length).replace(".0", "");
  const stream = {
    request: streamRequest(`stream ${length}`),
    mostBytes: streamBytes,
    memory: "heap",
  } as const;
  const page = {
    request: requestText({ method: "GET", path: `/rest/rows_${length}` }),
    mostBytes: length + pageOverhead,
    memory: "RSS",
  } as const;
  return [
    { name: `stream of ${shown}, reads nothing`, ...stream, reads: 0 },
    { name: `stream of ${shown}, 50 bytes a second`, ...stream, reads: 5 },
    { name: `page of ${shown}, reads nothing`, ...page, reads: 0 },
  ];
}

function fixtures(): object {
  const texts = lengths.map((length) => "word ".repeat(length / 5));
  const rowText = "x".repeat(9_950);
  return {
    tables: {
      small: [{ id: 1, text: "small" }],
      ...Object.fromEntries(
        lengths.map((length) => [
          `rows_${length}`,
          Array.from({ length: length / 10_000 }, (_, id) => ({ id, text: rowText })),
        ]),
      ),
    },
    chats: lengths.map((length, index) => ({
      name: `stream ${length}`,
      when: { user: { equals: `stream ${length}` } },
      reply: { content: texts[index] },
    })),
  };
}

/** What one kind of client costs. */
interface Cost {
  /** Memory of each client, in bytes. */
  readonly each: number;
  readonly figures: readonly Figure[];
}

/** Clients that do not read what they asked for. */
export const slowReaders: Scenario = {
  name: "slow-readers",
  about: "clients that read nothing, or a few bytes a second, of long streams and large pages",
  run: async (stage) => {
    const cwd = await stage.folder();
    await writeFile(join(cwd, "db.json"), JSON.stringify(fixtures()));
    const figures: Figure[] = [];
    const costs: number[][] = [];
    for (const length of lengths) {
      const ofLength: number[] = [];
      for (const kind of kinds(length)) {
        // A process of its own for each: what one has left over would be another's.
        const cost = await starve(kind, { stage, cwd });
        ofLength.push(cost.each);
        figures.push(...cost.figures);
        stage.tell(`${kind.name}: ${megabytes(cost.each)} a client`);
      }
      costs.push(ofLength);
    }
    const [[short = Number.NaN] = [], [long = Number.NaN] = []] = costs;
    const what = "memory of a stream of 20 MB, against one of 1 MB";
    return [...figures, atMost(what, long / short, { most: 1.5, show: inTimes })];
  },
};

async function starve(
  kind: Kind,
  { stage, cwd }: { readonly stage: Stage; readonly cwd: string },
): Promise<Cost> {
  const server = await stage.start({ cwd, args: ["db.json"] });
  const small = `${server.url}/rest/small`;
  const alone = await latencies(small, asked);
  const first = await begin(server.port, kind);
  await delay(settleMs);
  first.destroy();
  await delay(settleMs);
  const before = await server.measure();
  const sockets: Socket[] = [];
  for (let at = 0; at < clients; at++) sockets.push(await begin(server.port, kind));
  const reading = setInterval(() => {
    if (kind.reads > 0) for (const socket of sockets) socket.read(kind.reads);
  }, 100);
  await delay(settleMs);
  const during = await server.measure();
  const meanwhile = await latencies(small, asked);
  clearInterval(reading);
  for (const socket of sockets) socket.destroy();
  await delay(settleMs);
  const after = await server.measure();
  await server.end("SIGTERM");
  const rss = (during.rss - before.rss) / clients;
  const heap = heapOf(during, before) / clients;
  const each = kind.memory === "heap" ? heap : rss;
  return {
    each,
    figures: [
      {
        what: `${kind.name}: RSS / heap of each`,
        figure: `${megabytes(rss)} / ${megabytes(heap)}`,
      },
      atMost(`${kind.name}: ${kind.memory} of each`, each, {
        most: kind.mostBytes,
        show: megabytes,
      }),
      {
        what: `${kind.name}: others meanwhile, p50 / p99`,
        figure: `${halfAndMost(meanwhile)} (alone ${halfAndMost(alone)})`,
      },
      atMost(`${kind.name}: heap left`, heapOf(after, before), {
        most: 3_000_000,
        show: megabytes,
      }),
    ],
  };
}

function inTimes(ratio: number): string {
  return `${ratio.toFixed(2)} times`;
}

function halfAndMost(ms: readonly number[]): string {
  return `${milliseconds(percentile(ms, 50))} / ${milliseconds(percentile(ms, 99))}`;
}

function heapOf(now: Holding, before: Holding): number {
  return now.heapUsed + now.external - before.heapUsed - before.external;
}

async function begin(port: number, { request }: Kind): Promise<Socket> {
  const socket = await open(port);
  socket.write(request);
  // What comes waits in the socket, of which nothing is taken.
  await once(socket, "readable");
  return socket;
}
