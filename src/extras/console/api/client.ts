import type { ConversationForm } from "../../../core/http/endpoint.ts";
import type {
  EndpointEntry,
  OperatorEntry,
  TableEntry,
} from "../../../core/control/routes/about.ts";
import type { StateProfiles } from "../../../core/emulator/state/export-state.ts";
import { consoleHeader } from "../../../core/http/console-header.ts";
import { asObject, parseJson } from "../../../core/schema/json.ts";
import type { Problem } from "../../../core/errors/emulator-error.ts";
import { failed, ok, type Result } from "../../../core/errors/result.ts";

export type {
  EndpointEntry,
  OperatorEntry,
  TableEntry,
} from "../../../core/control/routes/about.ts";
export type ColumnEntry = TableEntry["columns"][number];

/** The answer of `GET /__backlot/console.json`. */
export interface ConsoleSetup {
  readonly version: string;
  readonly session: string | null;
  /** Whether the session exists yet. Otherwise it would begin as a copy of the base session. */
  readonly hasBegun: boolean;
  /** The number of planned faults. */
  readonly faults: number;
  /** The folder that scripts can be written to. */
  readonly folder: string | null;
  /** Why the fixtures on the disk cannot be used; null if they are in use. */
  readonly fixtureProblem: Problem | null;
  readonly profiles: StateProfiles;
  readonly basePaths: { readonly tables: string; readonly chat: string };
  readonly keys: { readonly tables: string | null; readonly chat: string | null };
  /** The first model of the fixtures. */
  readonly model: string | null;
  readonly tables: readonly TableEntry[];
  readonly operators: readonly OperatorEntry[];
  readonly endpoints: readonly EndpointEntry[];
}

/** Why a request failed. A message of the control API lists all problems, one per line. */
export interface Failure {
  /** The status of the answer; 0 if there was none. */
  readonly status: number;
  readonly message: string;
  readonly code?: string;
  readonly hint?: string;
}

/** Reads an error reply, in the envelope of any interface. */
export function readFailure(status: number, text: string): Failure {
  const body = asObject(parseJson(text)) ?? {};
  const { error = body } = body;
  const { message, code, hint } = asObject(error) ?? { ...body, message: error };
  return {
    status,
    message: typeof message === "string" ? message : text || `Status ${status}.`,
    ...(typeof code === "string" ? { code } : {}),
    ...(typeof hint === "string" ? { hint } : {}),
  };
}

/** The failure of a request that was not answered. */
export function unansweredFailure(error: unknown): Failure {
  const reason = error instanceof Error ? error.message : String(error);
  return { status: 0, message: `No answer: ${reason}.`.replace("..", ".") };
}

/** A request's options besides its path. */
export interface RequestOptions {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The body, which is sent as JSON. */
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  /**
   * Marks a chat, so that the console finds it in the journal. Requests without a mark are not affected by planned
   * faults.
   */
  readonly mark?: string;
}

const tokenKey = "backlot:control-token";

/** The control token that this tab was given. */
export function controlToken(): string | null {
  return sessionStorage.getItem(tokenKey);
}

/** Keeps a control token for this tab, until it is closed. */
export function keepControlToken(token: string): void {
  sessionStorage.setItem(tokenKey, token);
}

/** Sends requests to the server of this page, in one session. */
export class Client {
  /** The prefix of every path: empty, or `/@<session>`. */
  readonly base: string;
  #hasWritten = false;

  constructor(base: string) {
    this.base = base;
  }

  /** Sends a request to the control API. The path is that of a route, such as `/requests`. */
  control<Value>(path: string, asked: RequestOptions = {}): Promise<Result<Value, Failure>> {
    return answerOf(() => this.openControl(path, asked));
  }

  /** Like `control`, with the response's body unread, for streams. */
  openControl(path: string, asked: RequestOptions = {}): Promise<Response> {
    return send(`${this.base}/__backlot${path}`, controlToken(), asked);
  }

  /** Sends a request to the tables interface. The path begins with the table's name. */
  async rows<Value>(
    setup: ConsoleSetup,
    path: string,
    asked: RequestOptions = {},
  ): Promise<Result<Value, Failure>> {
    const url = `${this.#baseOf(setup, asked)}${setup.basePaths.tables}/rest/${path}`;
    const answer = await answerOf<{ readonly result: Value }>(() =>
      send(url, setup.keys.tables, asked),
    );
    return answer.ok ? { ok: true, value: answer.value.result } : answer;
  }

  /**
   * The prefix for a request. Reading from a session that does not exist must not begin it, so the base session is read
   * instead.
   */
  #baseOf({ hasBegun }: ConsoleSetup, { method = "GET" }: RequestOptions): string {
    this.#hasWritten ||= method !== "GET";
    return hasBegun || this.#hasWritten ? this.base : "";
  }

  /** The path of a table's rows, from the root of the server. */
  tableUrl({ basePaths }: ConsoleSetup, path: string): string {
    return `${this.base}${basePaths.tables}/rest/${path}`;
  }

  /** Sends a conversation to the endpoint for its form. The body of the response is unread. */
  openConversation(
    setup: ConsoleSetup,
    form: ConversationForm,
    asked: RequestOptions,
  ): Promise<Response> {
    const taking = setup.endpoints.filter((endpoint) => endpoint.form !== null);
    const { path = "" } = taking.find((endpoint) => endpoint.form === form) ?? taking[0] ?? {};
    return send(this.#baseOf(setup, asked) + path, setup.keys.chat, asked);
  }

  /** Sends a request to chat. The body of the response is unread. */
  openChat(setup: ConsoleSetup, path: string, asked: RequestOptions = {}): Promise<Response> {
    const url = this.#baseOf(setup, asked) + setup.basePaths.chat + path;
    return send(url, setup.keys.chat, asked);
  }

  /** Sends a request to chat, and reads the response. */
  chat<Value>(
    setup: ConsoleSetup,
    path: string,
    asked: RequestOptions = {},
  ): Promise<Result<Value, Failure>> {
    return answerOf(() => this.openChat(setup, path, asked));
  }
}

function send(url: string, key: string | null, asked: RequestOptions): Promise<Response> {
  const { method = "GET", body, signal, mark } = asked;
  const headers = new Headers({ [consoleHeader]: mark ?? "1" });
  if (mark === undefined) headers.set("x-backlot-faults", "none");
  if (key !== null) headers.set("authorization", `Bearer ${key}`);
  if (body !== undefined) headers.set("content-type", "application/json");
  return fetch(url, {
    method,
    headers,
    cache: "no-store",
    credentials: "omit",
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
}

async function answerOf<Value>(open: () => Promise<Response>): Promise<Result<Value, Failure>> {
  try {
    const response = await open();
    const text = await response.text();
    if (!response.ok) return failed(readFailure(response.status, text));
    // The cast is safe, since the page's own server answers in the expected form.
    return ok((text === "" ? undefined : JSON.parse(text)) as Value);
  } catch (error) {
    return failed(unansweredFailure(error));
  }
}

/** The session prefix of the console's own path, such as `/@test-7`; empty for the base session. */
export function baseOf(pathname: string): string {
  const end = pathname.lastIndexOf("/__backlot");
  return end === -1 ? "" : pathname.slice(0, end);
}

/** The path of a session's console, beside the one at `here`. Undefined: the base session. */
export function consolePath(session?: string, here: string = location.pathname): string {
  const root = baseOf(here).replace(/\/@[^/]*$/, "");
  const prefix = session === undefined ? "" : `/@${encodeURIComponent(session)}`;
  return `${root}${prefix}/__backlot/`;
}
