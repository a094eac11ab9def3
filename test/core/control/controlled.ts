import { interfaces } from "../../../src/core/interface.ts";
import { Core } from "../../../src/core/emulator/core.ts";
import { fixtureSetFrom } from "../../../src/core/emulator/emulator.ts";
import type { Observer } from "../../../src/core/emulator/observer.ts";
import { addFault } from "../../../src/core/emulator/faults/read-fault-rule.ts";
import type { JournalEntry } from "../../../src/core/emulator/journal/entry.ts";
import type { EmulatorSettings } from "../../../src/core/settings/settings.ts";
import { exportState } from "../../../src/core/emulator/state/export-state.ts";
import { nodeExtras } from "../../../src/fronts/node/extras.ts";
import type { Answerer } from "../../../src/core/http/answerer.ts";
import type { Call } from "../../../src/core/http/call.ts";
import type { Reply } from "../../../src/core/http/reply.ts";
import { call, type CallOptions } from "../../support/calls.ts";
import { HandTimers } from "../../support/hand-timers.ts";

/** How an emulator behaves, and who asks its control API. */
export interface ControlledOptions {
  readonly session?: string;
  readonly inProcess?: boolean;
  readonly peerAddress?: string;
  readonly settings?: EmulatorSettings;
  readonly observer?: Observer;
  readonly timers?: HandTimers;
  /** Requests that its journal has. */
  readonly entries?: readonly JournalEntry[];
}

const fixtures = await fixtureSetFrom(
  {
    apiKeys: ["local-key"],
    tables: JSON.parse('{"users": [{"id": 1, "name": "Ada"}], "odd/name": [], "__proto__": []}'),
    chats: [{ name: "greeting", when: { user: "hi" }, reply: { content: "Hi." } }],
  },
  {},
);

/**
 * An emulator with the tables `users`, `odd/name` and `__proto__`, the script `greeting`, the session `a`, the snapshot
 * `seeded` and the fault `fault 1`. Its clock stands at the beginning of 2024.
 */
export class Controlled {
  readonly core: Core;
  readonly #options: ControlledOptions;
  readonly #before: string;

  constructor(options: ControlledOptions) {
    const { settings, observer = {}, timers = new HandTimers(), entries = [] } = options;
    this.#options = options;
    const clocked = { clock: "2024-01-01T00:00:00Z", seed: 1, ...settings };
    this.core = new Core(fixtures, clocked, { extras: nodeExtras, observer, timers });
    this.core.sessions.get("a");
    this.core.snapshots.keep("seeded", () => this.core.state.snapshot());
    addFault(this.core, { status: 500, times: 2 });
    for (const one of entries) this.record(one);
    this.#before = this.#seen();
  }

  /** Whether anything is other than in the beginning. */
  get isChanged(): boolean {
    return this.#seen() !== this.#before;
  }

  /** Notes a request in the journal of the session that is asked, as one that takes so many bytes more. */
  record(given: JournalEntry, size: number = 0, answeredBy?: Answerer): void {
    const { journal } = this.core.sessions.get(this.#options.session);
    if (/^\d+$/.test(given.id)) journal.arrived = Number(given.id) - 1;
    const { method, path, query, headers, body } = given;
    const received = body === null ? undefined : new TextEncoder().encode(JSON.stringify(body));
    const asked = { ...call(method, path, { headers }), query, received };
    const started = journal.all.now() - given.durationMs;
    const exchange = journal.begin(
      asked,
      { interface: interfaces[given.interface] },
      started,
      Date.parse(given.at),
    );
    if (exchange === undefined) throw new Error("The journal is off.");
    if (given.session !== null) Object.assign(exchange, { session: given.session });
    const answerer = answeredBy ?? answererOf(given);
    journal.answer(exchange, asked, {
      status: given.status,
      headers: { "content-type": "application/json", "x-echo": headers["x-echo"] ?? "" },
      body: { kind: "text", text: JSON.stringify(given.response?.body ?? {}) },
      ...(answerer && { answeredBy: answerer }),
    });
    exchange.size += size;
    const { ended, bytes, chunksSent, aborted } = given;
    const problem = given.problem ?? undefined;
    const { durationMs } = given;
    journal.end(exchange, { ended, problem, bytes, chunksSent, aborted, durationMs });
  }

  /** Answers a call at a path below `/__backlot`. */
  async answer(asked: Call): Promise<Reply> {
    const { session, inProcess, peerAddress } = this.#options;
    const path = `/__backlot${asked.path}`;
    const whole = peerAddress === undefined ? asked : { ...asked, peerAddress: () => peerAddress };
    return (await this.core.handle({ ...whole, path }, { session, inProcess })).reply;
  }

  #seen(): string {
    const { sessions, snapshots } = this.core;
    return JSON.stringify([
      exportState(sessions.base),
      sessions.base.journal.kept().length,
      sessions.list().map(({ id, beganAt }) => [id, beganAt]),
      snapshots.list().map(({ name }) => name),
    ]);
  }
}

export function controlled(options: ControlledOptions = {}): Controlled {
  return new Controlled(options);
}

/** A reply with its body read. */
export interface ControlAnswer {
  readonly status: number;
  readonly headers: Reply["headers"];
  readonly body: unknown;
  /** The code of an error. */
  readonly code: string | undefined;
}

/** Asks the control API as a caller of this machine. */
export async function askControl(
  line: string,
  asked: Controlled = controlled(),
  options: CallOptions = {},
): Promise<ControlAnswer> {
  const [method = "", target = ""] = line.split(" ");
  const headers = { host: "localhost:4010", ...options.headers };
  const reply = await asked.answer(call(method, target, { ...options, headers }));
  const text = reply.body.kind === "text" ? reply.body.text : "";
  const body: unknown = text === "" ? undefined : JSON.parse(text);
  return { status: reply.status, headers: reply.headers, body, code: codeOf(body) };
}

function codeOf(body: unknown): string | undefined {
  if (typeof body !== "object" || body === null || !("error" in body)) return undefined;
  const { error } = body;
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return String(error.code);
}

/** What is read as an entry's answerer. */
function answererOf({ answeredBy, script, reply, fault }: JournalEntry): Answerer | undefined {
  if (answeredBy === null) return undefined;
  const outcome = {
    ...(script === null ? {} : { script }),
    ...(reply === null ? {} : { reply }),
    ...(fault === null ? {} : { fault }),
  };
  return { label: () => answeredBy, outcome: () => outcome, details: () => ({}) };
}

/** A request of the journal, as it is read. */
export function entry(given: Partial<JournalEntry>): JournalEntry {
  const { status = 200 } = given;
  return {
    id: "next",
    at: "2024-01-01T00:00:00.000Z",
    session: null,
    interface: "tables",
    method: "GET",
    path: "/rest/users",
    query: "",
    headers: {},
    body: null,
    bodyText: null,
    status,
    ended: endingOf(status),
    problem: null,
    response: {
      headers: { "content-type": "application/json", "x-echo": given.headers?.["x-echo"] ?? "" },
      body: {},
      truncated: false,
      frames: null,
    },
    usage: null,
    answeredBy: null,
    chat: null,
    script: null,
    reply: null,
    fault: null,
    brokenBy: null,
    recording: null,
    rows: null,
    change: null,
    tokens: null,
    finishReason: null,
    conversation: null,
    misses: [],
    missed: 0,
    matched: [],
    alsoMatching: [],
    keyProblem: null,
    plan: null,
    closestRecording: null,
    durationMs: 1,
    queuedMs: null,
    bytes: 2,
    chunksSent: 0,
    aborted: false,
    retryCount: null,
    console: null,
    ...given,
  };
}

function endingOf(status: number): JournalEntry["ended"] {
  if (status === 0) return "hung";
  return status < 400 ? "complete" : "refused";
}
