import { writeFile } from "node:fs/promises";
import type { Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ask } from "./ask.ts";
import type { BacklotProcess } from "./backlot-process.ts";
import { atMost, exactly, inTime, milliseconds } from "./figures.ts";
import { open, requestText } from "./raw-client.ts";
import type { Figure, Scenario, Stage } from "./scenario.ts";
import { vanishedPeers } from "./vanished-peers.ts";

const ofEach = 200;
const request = requestText({ method: "POST", path: "/rest/notes", body: { text: "a note" } });
const headEnd = request.indexOf("\r\n\r\n");

/** What is sent before nothing more comes, and in what time the connection has to be ended. */
const kinds = [
  { name: "nothing", sent: "", mostMs: 95_000 },
  { name: "half a head", sent: request.slice(0, headEnd / 2), mostMs: 95_000 },
  { name: "half a body", sent: request.slice(0, headEnd + 10), mostMs: 335_000 },
] as const;

/** Clients that begin and do not go on. */
export const halfOpen: Scenario = {
  name: "half-open",
  about:
    "sockets that send nothing, half a head or half a body; peers that are gone without a word (6 min)",
  run: async (stage) => {
    const cwd = await stage.folder();
    await writeFile(
      join(cwd, "db.json"),
      JSON.stringify({ tables: { notes: [{ id: 1, text: "" }] } }),
    );
    const server = await stage.start({ cwd, args: ["db.json"] });
    const [stalled, vanished] = await Promise.all([stall(server, stage), vanishedPeers(stage)]);
    return [...stalled, ...vanished];
  },
};

async function stall(server: BacklotProcess, stage: Stage): Promise<readonly Figure[]> {
  const before = await server.measure();
  const over = new AbortController();
  const ended = Promise.all(kinds.map((kind) => stallAll(server.port, kind))).finally(() => {
    over.abort();
  });
  let slowest = 0;
  while (!over.signal.aborted) {
    const asked = performance.now();
    await ask({ url: `${server.url}/rest/notes` });
    slowest = Math.max(slowest, performance.now() - asked);
    await Promise.race([delay(1_000), ended]);
  }
  const figures = await ended;
  stage.tell("the server has ended all that stalled");
  await delay(1_500);
  const left = (await server.measure()).resources["TCPSocketWrap"] ?? 0;
  return [
    ...figures,
    inTime("slowest answer to others meanwhile", slowest, 1_000),
    exactly("sockets that are left", left - (before.resources["TCPSocketWrap"] ?? 0), 0),
  ];
}

async function stallAll(
  port: number,
  { name, sent, mostMs }: (typeof kinds)[number],
): Promise<Figure> {
  const began = performance.now();
  const sockets: Socket[] = [];
  for (let at = 0; at < ofEach; at++) {
    const socket = await open(port);
    socket.write(sent);
    sockets.push(socket);
  }
  const deadline = setTimeout(() => {
    for (const socket of sockets) socket.destroy();
  }, mostMs + 10_000);
  await Promise.all(sockets.map(closed));
  clearTimeout(deadline);
  return atMost(`${ofEach} that send ${name}: the last is ended after`, performance.now() - began, {
    most: mostMs,
    show: milliseconds,
  });
}

function closed(socket: Socket): Promise<void> {
  socket.resume();
  return new Promise((resolve) => {
    if (socket.closed) resolve();
    else socket.once("close", () => resolve());
  });
}
