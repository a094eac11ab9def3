import { EmulatorError } from "../../../src/core/errors/emulator-error.ts";
import type { Script } from "../../../src/core/chat/scripts/script.ts";
import { answerControl } from "../../../src/core/control/answer-control.ts";
import type {
  ControlAccess,
  ControlContext,
  ServiceSettings,
} from "../../../src/core/control/context.ts";
import type { JournalEntry } from "../../../src/core/control/journal-entry.ts";
import type { PlannedFault } from "../../../src/core/fixture-set/format/fault-format.ts";
import type { Reply } from "../../../src/core/http/reply.ts";
import { call, type CallOptions } from "../../support/calls.ts";
import { HandTimers } from "../../support/hand-timers.ts";
import { type HandJournal, handJournal } from "./hand-journal.ts";

/** A context that keeps all it is told in plain sight. */
export interface HandContext extends ControlContext {
  /** What was done to it, in order. */
  readonly done: string[];
}

/** What of a context a test chooses. */
export interface HandOptions {
  readonly session?: string;
  readonly sessionProblem?: string;
  readonly access?: Partial<ControlAccess>;
  readonly settings?: Partial<ServiceSettings>;
  readonly entries?: readonly JournalEntry[];
  /** In place of one that has the entries. */
  readonly journal?: HandJournal;
  readonly timers?: HandTimers;
  readonly state?: object;
}

const handTime = "2024-01-01T00:00:00.000Z";

export const handSettings: ServiceSettings = {
  version: "1.2.3",
  profiles: { rest: "document", chat: "document" },
  basePaths: { rest: ["/v1", ""], chat: ["/v1", ""] },
  auth: true,
};

function mistake(
  code: "ERR_ROW_REFUSED" | "ERR_SCRIPT_REFUSED" | "ERR_FAULT_REFUSED" | "ERR_FIXTURES_INVALID",
): never {
  throw new EmulatorError(code, "Cannot do it: it is refused.", {
    problems: [{ message: "It is refused.", path: "a.b" }],
  });
}

/**
 * A context with the tables `users` and `odd/name`, the script `greeting` the session `a` and the fault `fault 1`. Rows, scripts,
 * faults and documents that have the key `bad` are refused.
 */
export function handContext(options: HandOptions = {}): HandContext {
  const done: string[] = [];
  const tables = new Map<string, readonly unknown[]>([
    ["users", [{ id: 1, name: "Ada" }]],
    ["odd/name", []],
    ["__proto__", []],
  ]);
  const scripts: Script[] = [{ name: "greeting", replies: [{ content: "Hi." }] }];
  const faults: PlannedFault[] = [{ id: "fault 1", status: 500, times: 2, left: 1 }];
  const snapshots = new Set(["seeded"]);
  const sessions = new Map([["a", { beganAt: handTime, lastUsedAt: handTime, requests: 3 }]]);
  return {
    done,
    session: options.session,
    sessionProblem: options.sessionProblem,
    console: () => import("../../../src/extras/console/console-page.ts"),
    settings: { ...handSettings, ...options.settings },
    access: {
      token: undefined,
      inProcess: false,
      peerAddress: undefined,
      cors: true,
      ...options.access,
    },
    reset: (scope) => done.push(`reset ${scope?.join("+") ?? "all"}`),
    keys: () => ({ rest: "local-token", chat: "local-key" }),
    tables: {
      names: () => [...tables.keys()],
      describe: () =>
        [...tables].map(([name, rows]) => ({
          name,
          primaryKey: ["id"],
          columns: [{ name: "id", type: "INTEGER", notNull: false }],
          rows: rows.length,
        })),
      rows: (name) => tables.get(name),
      replace: (name, rows) => {
        if (rows.some((row) => "bad" in row)) mistake("ERR_ROW_REFUSED");
        tables.set(name, rows);
        done.push(`replace ${name}`);
      },
    },
    chats: {
      list: () => scripts,
      matches: () => ({ greeting: 2 }),
      add: async (input) => {
        if (typeof input === "object" && input !== null && "bad" in input) {
          mistake("ERR_SCRIPT_REFUSED");
        }
        const added: Script = { name: `added ${scripts.length}`, replies: [{ content: "x" }] };
        scripts.unshift(added);
        done.push(`add ${JSON.stringify(input)}`);
        return added;
      },
      remove: (name) => {
        const index = scripts.findIndex((script) => script.name === name);
        if (index === -1) return false;
        scripts.splice(index, 1);
        done.push(`remove ${name}`);
        return true;
      },
    },
    timers: options.timers ?? new HandTimers(),
    journal: options.journal ?? handJournal(options.entries, { done }),
    sessions: {
      list: () => [...sessions].map(([id, used]) => ({ id, ...used })),
      begin: (id, how) => {
        if (id.length > 200) mistake("ERR_ROW_REFUSED");
        sessions.set(id, { beganAt: handTime, lastUsedAt: handTime, requests: 0 });
        done.push(`begin ${id} ${JSON.stringify(how)}`);
      },
      remove: (id) => sessions.delete(id),
    },
    snapshots: {
      list: () => [...snapshots].map((name) => ({ name, at: handTime, tables: 1, rows: 2 })),
      take: (name) => {
        if (name === "bad") mistake("ERR_ROW_REFUSED");
        snapshots.add(name);
        done.push(`take ${name}`);
      },
      restore: (name) => void done.push(`restore ${name}`),
      remove: (name) => snapshots.delete(name),
    },
    faults: {
      list: () => faults,
      add: (input) => {
        if (typeof input === "object" && input !== null && "bad" in input) {
          mistake("ERR_FAULT_REFUSED");
        }
        const planned: PlannedFault = { id: `fault ${faults.length + 1}`, status: 503 };
        faults.push(planned);
        done.push(`plan ${JSON.stringify(input)}`);
        return planned;
      },
      remove: (id) => {
        const index = faults.findIndex((planned) => planned.id === id);
        if (index === -1) return false;
        faults.splice(index, 1);
        done.push(`drop ${id}`);
        return true;
      },
      clear: () => done.push("drop all"),
    },
    exportState: () => options.state ?? { tables: {} },
    importState: async (document) => {
      if ("bad" in document) mistake("ERR_FIXTURES_INVALID");
      done.push(`import ${JSON.stringify(document)}`);
    },
  };
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
  context: ControlContext = handContext(),
  options: CallOptions = {},
): Promise<ControlAnswer> {
  const [method = "", target = ""] = line.split(" ");
  const headers = { host: "localhost:4010", ...options.headers };
  const asked = call(method, target, { ...options, headers });
  const reply = await answerControl(asked, asked.path, context);
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

/** A request of the journal. */
export function entry(given: Partial<JournalEntry>): JournalEntry {
  return {
    id: "req_1",
    at: "2024-01-01T00:00:00.000Z",
    session: null,
    interface: "rest",
    method: "GET",
    path: "/rest/users",
    query: "",
    headers: {},
    body: null,
    status: 200,
    answeredBy: null,
    script: null,
    reply: null,
    misses: [],
    plan: null,
    fault: null,
    recording: null,
    closestRecording: null,
    durationMs: 1,
    bytes: 2,
    chunksSent: 0,
    aborted: false,
    retryCount: null,
    ...given,
  };
}
