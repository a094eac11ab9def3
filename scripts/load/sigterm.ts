import { Agent } from "node:http";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { randomFromSeed, type RandomSource } from "../../src/core/emulator/environment.ts";
import { ask } from "./ask.ts";
import type { BacklotProcess } from "./backlot-process.ts";
import { exactly, inTime } from "./figures.ts";
import { open, readUntil, streamRequest } from "./raw-client.ts";
import type { Figure, Scenario, Stage } from "./scenario.ts";

const rounds = 10;
const writers = 32;
const chatters = 8;
const streamCount = 50;
const mostMs = 1_000;

const fixtures = {
  tables: { notes: { columns: { id: "INTEGER", text: "TEXT" }, rows: [] } },
  chats: [
    {
      name: "long",
      when: { user: "long" },
      reply: { content: "word ".repeat(2_000), pace: { gapMs: 5, by: "word" } },
    },
  ],
};

/** What clients know of the table's rows when the server is gone, by the rows' texts. */
interface Known {
  /** Acknowledged and not touched again: they have to be there. */
  readonly added: Set<string>;
  /** Deleted, and acknowledged: they must not be there. */
  readonly deleted: Set<string>;
  /** Asked for without an answer: either will do. */
  readonly open: Set<string>;
}

/** SIGTERM in the midst of everything. */
export const sigterm: Scenario = {
  name: "sigterm",
  about: "SIGTERM under load: exit code 0, at once, and what is exported is what clients were told",
  run: async (stage) => {
    const cwd = await stage.folder();
    await writeFile(join(cwd, "db.json"), JSON.stringify(fixtures));
    const random = randomFromSeed(stage.seed);
    const outcomes: Outcome[] = [];
    for (let round = 0; round < rounds; round++) {
      outcomes.push(await endUnderLoad({ stage, cwd, random }));
    }
    return judge(outcomes);
  },
};

interface Outcome {
  readonly code: number | string;
  readonly afterMs: number;
  readonly known: Known;
  /** Acknowledged rows that are not in the export. */
  readonly lost: number;
  /** Rows that are in the export although their deletion was acknowledged, or that nobody asked for. */
  readonly wrong: number;
  readonly chats: number;
  /** Streams and chats that ended as if they were whole, and were not. */
  readonly lies: number;
}

interface Setting {
  readonly stage: Stage;
  readonly cwd: string;
  readonly random: RandomSource;
}

async function endUnderLoad({ stage, cwd, random }: Setting): Promise<Outcome> {
  const server = await stage.start({ cwd, args: ["db.json", "--export-on-exit", "after.json"] });
  const known: Known = { added: new Set(), deleted: new Set(), open: new Set() };
  const agent = new Agent({ keepAlive: true });
  const told = { chats: 0, lies: 0 };
  const streaming = Array.from({ length: streamCount }, () => stream(server, told));
  const writing = Array.from({ length: writers }, (_, writer) =>
    write({ server, agent, known, writer }),
  );
  const chatting = Array.from({ length: chatters }, () => chat(server, agent, told));
  const deadline = performance.now() + 15_000;
  while (!(known.added.size >= 2 * writers && told.chats >= chatters)) {
    if (performance.now() > deadline) break;
    await delay(20);
  }
  await delay(random.next() * 300);
  const { code, afterMs } = await server.end("SIGTERM");
  await Promise.all([...writing, ...chatting, ...streaming]);
  agent.destroy();
  const state: Exported = JSON.parse(await readFile(join(cwd, "after.json"), "utf8"));
  return { code, afterMs, known, ...told, ...compare(known, textsIn(state)) };
}

interface Exported {
  readonly tables: { readonly notes: Rows | { readonly rows: Rows } };
}

type Rows = readonly { readonly text: string }[];

/** The texts of the rows of an exported state. */
function textsIn({ tables: { notes } }: Exported): ReadonlySet<string> {
  const rows = "rows" in notes ? notes.rows : notes;
  return new Set(rows.map(({ text }) => text));
}

function compare(
  { added, deleted, open: unanswered }: Known,
  exported: ReadonlySet<string>,
): Pick<Outcome, "lost" | "wrong"> {
  const lost = [...added].filter((text) => !exported.has(text)).length;
  const wrong = [...exported].filter(
    (text) => deleted.has(text) || !(added.has(text) || unanswered.has(text)),
  ).length;
  return { lost, wrong };
}

interface Writer {
  readonly server: BacklotProcess;
  readonly agent: Agent;
  readonly known: Known;
  readonly writer: number;
}

/** Adds rows, and deletes every third, until the server is gone. */
async function write({ server, agent, known, writer }: Writer): Promise<void> {
  const url = `${server.url}/rest/notes`;
  for (let count = 0; ; count++) {
    const text = `${writer}-${count}`;
    known.open.add(text);
    try {
      const added = await ask({ method: "POST", url, agent, body: { text } });
      if (added.status !== 201) return;
      known.open.delete(text);
      if (count % 3 > 0) {
        known.added.add(text);
        continue;
      }
      const { id } = JSON.parse(added.text).result.data;
      known.open.add(text);
      const deleted = await ask({ method: "DELETE", url: `${url}/${id}`, agent });
      if (deleted.status !== 200) return;
      known.open.delete(text);
      known.deleted.add(text);
    } catch {
      return;
    }
  }
}

async function chat(
  server: BacklotProcess,
  agent: Agent,
  told: { chats: number; lies: number },
): Promise<void> {
  const url = `${server.url}/v1/chat/completions`;
  const body = { model: "any", messages: [{ role: "user", content: "say it again" }] };
  for (;;) {
    try {
      const { status, text } = await ask({ method: "POST", url, agent, body });
      told.chats++;
      if (status !== 200 || !text.includes("say it again")) told.lies++;
    } catch {
      return;
    }
  }
}

/** A stream that cannot be over before the server is: it must not look as if it were. */
async function stream({ port }: BacklotProcess, told: { lies: number }): Promise<void> {
  const socket = await open(port);
  socket.write(streamRequest("long"));
  const text = await readUntil(socket, "0\r\n\r\n");
  if (text.includes("[DONE]") || text.endsWith("0\r\n\r\n")) told.lies++;
}

function judge(outcomes: readonly Outcome[]): readonly Figure[] {
  const sum = (of: (outcome: Outcome) => number): number =>
    outcomes.reduce((total, outcome) => total + of(outcome), 0);
  const failed = outcomes.filter(({ code }) => code !== 0).map(({ code }) => code);
  return [
    {
      what: `in ${rounds} runs: writes acknowledged / without an answer / chats answered`,
      figure: [
        sum(({ known }) => known.added.size + known.deleted.size),
        sum(({ known }) => known.open.size),
        sum(({ chats }) => chats),
      ].join(" / "),
    },
    exactly("exit codes other than 0", failed.join(" ") || "none", "none"),
    inTime("longest time to the exit", Math.max(...outcomes.map(({ afterMs }) => afterMs)), mostMs),
    exactly(
      "acknowledged rows that are not in the export",
      sum(({ lost }) => lost),
      0,
    ),
    exactly(
      "exported rows that were acknowledged as deleted",
      sum(({ wrong }) => wrong),
      0,
    ),
    exactly(
      "answers cut short that look whole",
      sum(({ lies }) => lies),
      0,
    ),
  ];
}
