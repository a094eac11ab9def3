import { createEmulator, type Emulator, type EmulatorOptions } from "../../../src/index.ts";
import type { JsonObject } from "../../../src/core/schema/json.ts";

/** An emulator with both wires, in which nothing is left to chance. */
export function emulatorWith(
  chats: readonly object[],
  options: EmulatorOptions = {},
): Promise<Emulator> {
  return createEmulator({
    seed: 1,
    clock: "2026-01-01T00:00:00Z",
    profiles: { chat: "openai" },
    fixtures: { chats },
    ...options,
  });
}

export interface Asked {
  readonly status: number;
  readonly headers: Headers;
  readonly body: JsonBody;
}

// oxlint-disable-next-line typescript/no-explicit-any -- a body of any kind, of which tests read what they expect.
type JsonBody = any;

const headers = { authorization: "Bearer key", "content-type": "application/json" };

/** Sends a request, by default one for a response. */
export async function ask(
  { fetch }: Pick<Emulator, "fetch">,
  body?: object,
  path = "/v1/responses",
  method = body === undefined ? "GET" : "POST",
): Promise<Asked> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(path, { method, headers, ...sent });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text && JSON.parse(text) };
}

export interface StreamEvent extends JsonObject {
  readonly type: string;
  readonly sequence_number: number;
}

/** The events of a streamed response, as far as they come. */
export async function eventsOf(
  { fetch }: Pick<Emulator, "fetch">,
  body: object,
  path = "/v1/responses",
): Promise<readonly StreamEvent[]> {
  const sent = JSON.stringify({ ...body, stream: true });
  const response = await fetch(path, { method: "POST", headers, body: sent });
  const text = await response.text();
  return [...text.matchAll(/^event: (.*)\ndata: (.*)$/gm)].map(([, name, data = ""]) => {
    const event = JSON.parse(data) as StreamEvent;
    if (event.type !== name) throw new Error(`The event ${name} has the type ${event.type}.`);
    return event;
  });
}

/** The types of events without "response.", those in a row once. */
export function typesOf(events: readonly StreamEvent[]): readonly string[] {
  const types = events.map(({ type }) => type.replace("response.", ""));
  return types.filter((type, index) => type !== types[index - 1]);
}
