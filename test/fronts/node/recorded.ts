import { once } from "node:events";
import { type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { expect, onTestFinished } from "vitest";
import type {
  NamedCassette,
  RecordedAnswer,
  Recording,
} from "../../../src/core/recordings/cassette.ts";
import { bodyText } from "../../../src/core/recordings/recorded-body.ts";

/** Asks for a completion, with a real key. */
export function chat(
  url: string,
  messages: readonly object[],
  more: object = {},
): Promise<Response> {
  return fetch(`${url}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer sk-real-key" },
    body: JSON.stringify({ model: "m", messages, ...more }),
  });
}

/** What a user says. */
export const hello = [{ role: "user", content: "Hello there" }];

/** The recording, where there is one and no other. */
export function onlyRecording(cassettes: readonly NamedCassette[]): Recording {
  const recordings = cassettes.flatMap((cassette) => cassette.recordings);
  expect(recordings).toHaveLength(1);
  return recordings[0] as Recording;
}

/** All of an answer's body as text. */
export function textOf({ body, stream }: RecordedAnswer): string {
  if (body !== undefined) return bodyText(body) ?? "";
  return (stream ?? []).map((part) => ("text" in part ? part.text : "")).join("");
}

/** A server that says these bytes, whatever it is asked, and then ends the connection. */
export async function startRawService(
  answer: string,
  how: "end" | "destroy" = "end",
): Promise<string> {
  const server = createTcpServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => {
      if (answer === "") socket.destroy();
      else if (how === "end") socket.end(answer);
      else socket.write(answer, () => socket.destroySoon());
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** An answer as it came over the wire, unpacked by nobody. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Whether the connection broke before the body's end. */
  readonly isBroken: boolean;
}

/** Asks by node:http, which adds nothing and unpacks nothing. */
export async function askRaw(
  url: string,
  { method = "GET", headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): Promise<WireAnswer> {
  const asked = request(url, { method, headers });
  asked.end();
  const [response]: IncomingMessage[] = await once(asked, "response");
  if (response === undefined) throw new Error("There is no response.");
  let body = "";
  let isBroken = false;
  response.setEncoding("latin1").on("data", (part: string) => (body += part));
  response.on("error", () => (isBroken = true));
  await new Promise((resolve) => response.once("close", resolve));
  return { status: response.statusCode ?? 0, headers: response.headers, body, isBroken };
}
