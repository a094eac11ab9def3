import { writeFile } from "node:fs/promises";
import type { Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ask } from "./ask.ts";
import type { BacklotProcess, Holding } from "./backlot-process.ts";
import { atMost, exactly, megabytes } from "./figures.ts";
import { inParallel, open, readUntil, requestText } from "./raw-client.ts";
import type { Figure, Scenario } from "./scenario.ts";

const ofEach = 400;
const width = 50;

const fixtures = {
  tables: { notes: Array.from({ length: 3_000 }, (_, id) => ({ id, text: "x".repeat(1_000) })) },
  chats: [
    {
      name: "late",
      when: { user: "late" },
      reply: { content: "late", pace: { firstTokenMs: 600_000 } },
    },
    { name: "hang", when: { user: "hang" }, reply: { content: "never", fault: { kind: "hang" } } },
    {
      name: "long",
      when: { user: "long" },
      reply: { chunks: ["first", { wait: 600_000 }, "second"] },
    },
  ],
};

/** When a client leaves. */
interface Moment {
  readonly name: string;
  /** What it sends, in a session of its own. */
  readonly sent: (session: string) => string;
  /** What it waits for before it leaves. */
  readonly until?: string;
  /** Whether there is a request, of which the journal can tell that its client left. */
  readonly isTold: boolean;
}

function chat(session: string, user: string, stream: boolean): string {
  const body = { model: "any", stream, messages: [{ role: "user", content: user }] };
  return requestText({ method: "POST", path: `/@${session}/v1/chat/completions`, body });
}

function insert(session: string): string {
  return requestText({ method: "POST", path: `/@${session}/rest/notes`, body: { text: "a note" } });
}

const moments: readonly Moment[] = [
  { name: "before a byte is sent", sent: () => "", isTold: false },
  {
    name: "amid the request's head",
    sent: (session) => insert(session).slice(0, 40),
    isTold: false,
  },
  {
    name: "amid the request's body",
    sent: (session) => insert(session).slice(0, -4),
    isTold: true,
  },
  { name: "before the answer", sent: (session) => chat(session, "late", false), isTold: true },
  {
    name: "where no answer ever comes",
    sent: (session) => chat(session, "hang", false),
    isTold: true,
  },
  {
    name: "amid a page of 3 MB",
    sent: (session) => requestText({ method: "GET", path: `/@${session}/rest/notes` }),
    until: "xxx",
    // What the system has taken counts as sent, which may be all of it.
    isTold: false,
  },
  {
    name: "amid a stream",
    sent: (session) => chat(session, "long", true),
    until: "first",
    isTold: true,
  },
];

const ways = {
  FIN: (socket: Socket) => socket.destroy(),
  RST: (socket: Socket) => socket.resetAndDestroy(),
};

/** Clients that leave. */
export const vanish: Scenario = {
  name: "vanish",
  about:
    "clients that leave, by FIN and RST, in all places: nothing stays behind, and the journal says so",
  run: async (stage) => {
    const cwd = await stage.folder();
    await writeFile(join(cwd, "db.json"), JSON.stringify(fixtures));
    const server = await stage.start({ cwd, args: ["db.json"] });
    // The journals are full and all code is there before the memory is looked at.
    for (const moment of moments) await leaveAll(server, moment);
    await forgetAll(server);
    const before = await calm(server);
    const figures: Figure[] = [];
    for (const moment of moments) {
      await leaveAll(server, moment);
      stage.tell(`${2 * ofEach} left ${moment.name}`);
      if (moment.isTold) figures.push(await journalSays(server, moment));
    }
    await forgetAll(server);
    const after = await calm(server);
    return [...figures, ...leftBehind(before, after)];
  },
};

function sessionOf({ name }: Moment): string {
  return name.replaceAll(/\W+/g, "-");
}

async function leaveAll(server: BacklotProcess, moment: Moment): Promise<void> {
  const { sent, until } = moment;
  const text = sent(sessionOf(moment));
  for (const leave of Object.values(ways)) {
    const clients = Array.from({ length: ofEach }, (_, client) => client);
    await inParallel(clients, width, async () => {
      const socket = await open(server.port);
      socket.write(text);
      if (until === undefined) await delay(20);
      else await readUntil(socket, until);
      leave(socket);
    });
  }
}

/**
 * How many clients left, by the journal of the session: all whose requests came. On a busy machine some are reset
 * before the server has read a byte of them.
 */
async function journalSays(server: BacklotProcess, moment: Moment): Promise<Figure> {
  const url = `${server.url}/@${sessionOf(moment)}/__backlot/requests`;
  const deadline = performance.now() + 5_000;
  for (;;) {
    const { text } = await ask({ url });
    const entries: readonly { readonly aborted: boolean }[] = JSON.parse(text).requests;
    const aborted = entries.filter((entry) => entry.aborted).length;
    if (aborted < 2 * ofEach && performance.now() < deadline) {
      await delay(50);
      continue;
    }
    const isKept = aborted === entries.length && aborted >= ofEach;
    return {
      what: `left ${moment.name}: the journal says so of`,
      figure: `${aborted} of ${entries.length}`,
      promise: { text: "all that came", isKept },
    };
  }
}

async function forgetAll(server: BacklotProcess): Promise<void> {
  const { text } = await ask({ url: `${server.url}/__backlot/sessions` });
  for (const { id } of JSON.parse(text).sessions) {
    await ask({ method: "DELETE", url: `${server.url}/__backlot/sessions/${id}` });
  }
  server.forgetLog();
}

/** Measures once all sockets are gone, or when they should be. */
async function calm(server: BacklotProcess): Promise<Holding> {
  const deadline = performance.now() + 10_000;
  for (;;) {
    const holding = await server.measure();
    if ((holding.resources["TCPSocketWrap"] ?? 0) === 0 || performance.now() > deadline) {
      return holding;
    }
    await delay(100);
  }
}

function leftBehind(before: Holding, after: Holding): readonly Figure[] {
  const more = (kind: string): number =>
    (after.resources[kind] ?? 0) - (before.resources[kind] ?? 0);
  const clients = 2 * ofEach * moments.length;
  return [
    { what: "clients that left", figure: String(clients) },
    exactly("sockets left behind", after.resources["TCPSocketWrap"] ?? 0, 0),
    atMost("timers left behind", more("Timeout"), { most: 0 }),
    atMost("heap left behind", after.heapUsed - before.heapUsed, {
      most: 2_000_000,
      show: megabytes,
    }),
  ];
}
