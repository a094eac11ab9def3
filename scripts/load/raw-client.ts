import { once } from "node:events";
import { connect, type Socket } from "node:net";

export const token = "local-token";

/** What a request is made of. */
export interface RawRequest {
  readonly method: string;
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Header lines. */
  readonly headers?: readonly string[];
}

/** A request as its bytes. */
export function requestText({ method, path, body, headers = [] }: RawRequest): string {
  const text = body === undefined ? "" : JSON.stringify(body);
  return [
    `${method} ${path} HTTP/1.1`,
    "host: localhost",
    `authorization: Bearer ${token}`,
    ...(body === undefined
      ? []
      : ["content-type: application/json", `content-length: ${Buffer.byteLength(text)}`]),
    ...headers,
    "",
    text,
  ].join("\r\n");
}

/** A request for a streamed chat. */
export function streamRequest(user: string, model: string = "any"): string {
  const body = { model, stream: true, messages: [{ role: "user", content: user }] };
  return requestText({ method: "POST", path: "/v1/chat/completions", body });
}

/** Opens a connection. Its errors are no surprise: its end tells. */
export async function open(port: number): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  const failed = once(socket, "close").then(() => {
    throw new Error(`Cannot connect to port ${port}.`);
  });
  socket.on("error", () => undefined);
  await Promise.race([once(socket, "connect"), failed]);
  failed.catch(() => undefined);
  return socket;
}

/** Resolves with all that comes until `part` has come, or the connection is closed. */
export function readUntil(socket: Socket, part: string): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    const finish = (): void => {
      socket.off("data", take).off("close", finish);
      resolve(text);
    };
    const take = (bytes: Buffer): void => {
      text += bytes.toString("latin1");
      if (text.includes(part)) finish();
    };
    socket.on("data", take).once("close", finish);
  });
}

/** The `content` of a stream's events, one after the other. */
export function contentOf(text: string): string {
  const pieces = text.matchAll(/"content":("(?:[^"\\]|\\.)*")/g);
  return [...pieces].map(([, piece = '""']) => JSON.parse(piece)).join("");
}

/** Does something for each of many, at most `width` at a time. */
export async function inParallel<Item>(
  items: readonly Item[],
  width: number,
  each: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const work = async (): Promise<void> => {
    for (const item of queue) await each(item);
  };
  await Promise.all(Array.from({ length: width }, work));
}
