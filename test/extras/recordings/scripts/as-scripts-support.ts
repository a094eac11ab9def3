import type {
  NamedCassette,
  RecordedAnswer,
  RecordedRequest,
  Recording,
} from "../../../../src/core/recordings/cassette.ts";
import { createEmulator, type Emulator } from "../../../../src/index.ts";
import type { ScriptInput } from "../../../../src/core/fixture-set/format/script-format.ts";
import { toFixtures } from "../../../../src/extras/recordings/scripts/to-fixtures.ts";

/** What recordings come to, its files read again. */
export function cameTo(...given: Parameters<typeof toFixtures>) {
  const { files, remarks } = toFixtures(...given);
  const read = files.map(({ name, text }) => ({ name, value: JSON.parse(text) }));
  const inFolder = (folder: string) =>
    read.flatMap(({ name, value }) =>
      name.startsWith(`${folder}/`) ? [{ file: name.slice(folder.length + 1), value }] : [],
    );
  return {
    chats: inFolder("chats").map(({ file, value }) => ({ file, scripts: value as ScriptInput[] })),
    tables: inFolder("tables").map(({ file, value }) => ({
      name: file.replace(/\.json$/, ""),
      document: value,
    })),
    remarks,
  };
}

/** A recorded request for a completion. */
export function chatRequest(body: object): RecordedRequest {
  return { method: "POST", path: "/chat/completions", body: { json: body } };
}

/** The body of a request in which the user says something. */
export function says(user: string, more: object = {}): object {
  return { model: "atlas", messages: [{ role: "user", content: user }], ...more };
}

/** A recorded answer that came as JSON. */
export function jsonAnswer(json: unknown, status = 200): RecordedAnswer {
  return { status, headers: { "content-type": "application/json" }, afterMs: 0, body: { json } };
}

/** A completion with one choice. */
export function completion(message: object, finish: string | null = "stop", more: object = {}) {
  const choice = { index: 0, message: { role: "assistant", ...message }, finish_reason: finish };
  return {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1,
    model: "atlas",
    choices: [choice],
    ...more,
  };
}

/** A recorded answer that came as a stream: texts as they are, all else as events of JSON, 10 ms apart. */
export function streamAnswer(
  events: readonly (object | string)[],
  how: "close" | "reset" | "hang" = "close",
): RecordedAnswer {
  const stream = events.map((event, index) => ({
    atMs: 100 + 10 * index,
    text: typeof event === "string" ? event : `data: ${JSON.stringify(event)}\n\n`,
  }));
  const headers = { "content-type": "text/event-stream" };
  return {
    status: 200,
    headers,
    afterMs: 90,
    stream,
    end: { atMs: 100 + 10 * events.length, how },
  };
}

export const done = "data: [DONE]\n\n";

/** A chunk of a stream. */
export function chunk(delta: object, finish: string | null = null, index = 0): object {
  return { id: "chatcmpl-1", model: "atlas", choices: [{ index, delta, finish_reason: finish }] };
}

export function exchange(request: RecordedRequest, answer: RecordedAnswer): Recording {
  return { request, answer };
}

export function chatCassette(name: string, recordings: readonly Recording[]): NamedCassette {
  return { name, interface: "chat", upstream: "https://api.example.com/v1", recordings };
}

export function tableCassette(name: string, recordings: readonly Recording[]): NamedCassette {
  return { name, interface: "tables", upstream: "https://api.example.com/rest", recordings };
}

/** An emulator that serves what recordings came to, and nothing else. */
export function serving({ chats, tables }: ReturnType<typeof cameTo>): Promise<Emulator> {
  const scripts = chats.flatMap((file) => file.scripts);
  const byName = tables.map(({ name, document }) => [name, document]);
  return createEmulator({
    fixtures: { chats: scripts, tables: Object.fromEntries(byName), chat: { unmatched: "error" } },
    speed: 0,
    auth: false,
  });
}

/** Asks a recorded request. */
export function ask(
  { fetch }: Emulator,
  { method, path, query, headers, body }: RecordedRequest,
): Promise<Response> {
  const json = body !== undefined && "json" in body ? JSON.stringify(body.json) : undefined;
  const mount = path.startsWith("/chat") ? "/v1" : "/rest";
  const url = `http://localhost${mount}${path}${query === undefined ? "" : `?${query}`}`;
  return fetch(url, {
    method,
    headers: { "content-type": "application/json", ...headers },
    ...(json === undefined ? {} : { body: json }),
  });
}

/** What a choice says, in a form that JSON and streams have in common. */
export interface Said {
  content: string | null;
  reasoning: string | null;
  refusal: string | null;
  calls: { id: string; name: string; arguments: string }[];
  finish: string | null;
}

/** What a completion says, whether it is one JSON object or the text of a stream. */
export function saidIn(text: string): Said[] {
  const isStream = text.startsWith("data:") || text.startsWith(":");
  return isStream ? saidInStream(text) : JSON.parse(text).choices.map(saidByMessage);
}

interface WireCall {
  readonly index?: number;
  readonly id?: string;
  readonly function?: { readonly name?: string; readonly arguments?: string };
}

interface WireMessage {
  readonly content?: string | null;
  readonly reasoning_content?: string | null;
  readonly refusal?: string | null;
  readonly tool_calls?: readonly WireCall[];
}

interface WireChoice {
  readonly index: number;
  readonly message: WireMessage;
  readonly delta: WireMessage;
  readonly finish_reason: string | null;
}

function saidByMessage({ message, finish_reason: finish }: WireChoice): Said {
  const { content = null, reasoning_content: reasoning = null, refusal = null } = message;
  const calls = (message.tool_calls ?? []).map(({ id = "", function: called }) => ({
    id,
    name: called?.name ?? "",
    arguments: called?.arguments ?? "",
  }));
  return { content, reasoning, refusal, calls, finish };
}

function saidInStream(text: string): Said[] {
  const choices: Said[] = [];
  for (const [, data = ""] of text.matchAll(/^data: (\{.*)$/gm)) {
    for (const { index, delta, finish_reason: finish } of choicesIn(data)) {
      const said = (choices[index] ??= {
        content: null,
        reasoning: null,
        refusal: null,
        calls: [],
        finish: null,
      });
      addDelta(said, delta);
      said.finish = finish ?? said.finish;
    }
  }
  return choices;
}

function choicesIn(data: string): readonly WireChoice[] {
  try {
    return JSON.parse(data).choices ?? [];
  } catch {
    return [];
  }
}

function addDelta(said: Said, delta: WireMessage): void {
  const { content, reasoning_content: reasoning, refusal, tool_calls: calls = [] } = delta;
  if (typeof content === "string") said.content = (said.content ?? "") + content;
  if (reasoning) said.reasoning = (said.reasoning ?? "") + reasoning;
  if (refusal) said.refusal = (said.refusal ?? "") + refusal;
  for (const call of calls) addCall(said, call);
}

function addCall({ calls }: Said, { index = 0, id = "", function: called }: WireCall): void {
  const known = (calls[index] ??= { id: "", name: "", arguments: "" });
  known.id ||= id;
  known.name += called?.name ?? "";
  known.arguments += called?.arguments ?? "";
}
