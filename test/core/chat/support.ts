import { answerChat } from "../../../src/core/chat/answer-chat.ts";
import type { ChatContext } from "../../../src/core/chat/context.ts";
import type { Model } from "../../../src/core/chat/models.ts";
import { documentChatProfile } from "../../../src/core/chat/profiles.ts";
import { ScriptBook } from "../../../src/core/chat/scripts/script-book.ts";
import { StoredAnswers } from "../../../src/core/chat/stored-answers.ts";
import type { Script, ScriptReply, When } from "../../../src/core/chat/scripts/script.ts";
import { bytesOf, type EventStream } from "../../../src/core/http/event-stream.ts";
import type { Reply } from "../../../src/core/http/reply.ts";
import { createTemplates } from "../../../src/core/template/templates.ts";
import { call, type CallOptions } from "../../support/calls.ts";

/** The moment of every answer: `created` is 1700000000. */
export const now = 1_700_000_000_000;

/** A script that gives one reply. */
export function script(name: string, reply: ScriptReply, when: When = {}): Script {
  return { name, when, replies: [reply] };
}

/** A context without keys, models, waits and chance, unless said otherwise. Ids count up. */
export function chatContext(
  options: Partial<Omit<ChatContext, "scripts">> & { readonly scripts?: readonly Script[] } = {},
): ChatContext {
  let ids = 0;
  const { scripts = [], ...others } = options;
  return {
    models: [],
    scripts: ScriptBook.of(scripts),
    answers: new StoredAnswers(),
    profile: documentChatProfile,
    unmatched: "echo",
    apiKeys: null,
    cors: false,
    basePaths: ["/v1", ""],
    now: () => now,
    random: () => 0.5,
    createId: (prefix) => `${prefix}${++ids}`,
    randomFor: () => () => 0.5,
    speed: 1,
    tokenizer: "estimate",
    templates: createTemplates({ seed: 1 }),
    templateScope: () => ({ tables: { users: [{ id: 1, name: "Ada" }] } }),
    ...others,
  };
}

/** A context with one script, which answers everything. */
export function replying(reply: ScriptReply, options: Partial<ChatContext> = {}): ChatContext {
  return { ...chatContext({ scripts: [script("only", reply)] }), ...options };
}

export function model(id: string, more: Partial<Model> = {}): Model {
  return { id, owned_by: "backlot", created: 1_714_521_600, kind: "chat", ...more };
}

/** Body of a request that is valid: one user message, plus what is given. */
export function chatBody(more: object = {}, user = "Hi"): object {
  return { model: "atlas", messages: [{ role: "user", content: user }], ...more };
}

export async function send(
  context: ChatContext,
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<Reply> {
  return answerChat(call(method, `/v1${path}`, options), path, context);
}

/** Sends a chat request. */
export async function post(
  context: ChatContext,
  body: unknown = chatBody(),
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  return send(context, "POST", "/chat/completions", { body, headers });
}

/** The JSON of a reply. Its form is the test's to know. */
export function bodyOf(reply: Reply) {
  return JSON.parse(reply.body.kind === "text" ? reply.body.text : "null");
}

export function streamOf(reply: Reply): EventStream {
  if (reply.body.kind !== "stream") throw new Error(`not a stream: ${JSON.stringify(reply)}`);
  return reply.body.stream;
}

/** What a stream sends, frame by frame. */
export function textsOf(stream: EventStream): readonly string[] {
  return stream.frames.map((frame) => {
    const bytes = bytesOf(frame, stream);
    return typeof bytes === "string" ? bytes : new TextDecoder().decode(bytes);
  });
}

/** The bytes of a stream as text. */
export function wireOf(reply: Reply): string {
  return textsOf(streamOf(reply)).join("");
}

/** The chunks of a stream, parsed. */
export function chunksOf(reply: Reply) {
  const events = wireOf(reply).split("\n\n");
  return events
    .filter((event) => event.startsWith("data: {"))
    .map((event) => JSON.parse(event.slice("data: ".length)));
}
