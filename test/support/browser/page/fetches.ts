import type { GivenAnswer } from "../../compare-recorded.ts";
import type { PlainRequest } from "../../transports.ts";
import { type FetchMessage, fromBase64, type SentRequest, toBase64 } from "./messages.ts";

type Tell = (message: FetchMessage) => void;

const underway = new Map<number, { abort: () => void; cancel: () => void }>();

/** Makes a request with the page's own fetch, and tells what comes, when it comes. */
export async function send(sent: SentRequest, tell: Tell): Promise<void> {
  const { id, url, method, headers, body } = sent;
  const leaving = new AbortController();
  underway.set(id, { abort: () => leaving.abort(), cancel: () => undefined });
  try {
    const response = await fetch(url, {
      method,
      headers: headers.map(([name, value]) => [name, value]),
      signal: leaving.signal,
      ...(body === undefined ? {} : { body: fromBase64(body) }),
    });
    tell({ id, kind: "head", head: { status: response.status, headers: [...response.headers] } });
    await tellBody(id, response, tell);
    tell({ id, kind: "end" });
  } catch (error) {
    const { name, message } =
      error instanceof Error || error instanceof DOMException ? error : new Error(String(error));
    tell({ id, kind: "error", name, message });
  } finally {
    underway.delete(id);
  }
}

async function tellBody(id: number, { body }: Response, tell: Tell): Promise<void> {
  const reader = body?.getReader();
  if (reader === undefined) return;
  const requested = underway.get(id);
  if (requested !== undefined) requested.cancel = () => void reader.cancel();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    // Empty chunks show nothing that a client could see.
    if (value.byteLength > 0) tell({ id, kind: "chunk", bytes: toBase64(value) });
  }
}

/** Makes runs of requests, one after the other, and gives what was answered as text. */
export async function play(
  runs: readonly (readonly PlainRequest[])[],
  baseUrl: string,
  startRun: () => void | Promise<void>,
): Promise<readonly (readonly GivenAnswer[])[]> {
  const given: GivenAnswer[][] = [];
  for (const requests of runs) {
    await startRun();
    const answers: GivenAnswer[] = [];
    for (const { path, ...init } of requests) {
      const response = await fetch(`${baseUrl}${path}`, init);
      const { status } = response;
      const contentType = response.headers.get("content-type");
      answers.push({ status, contentType, text: await response.text() });
    }
    given.push(answers);
  }
  return given;
}

/** Aborts a request, as a page does with its signal. */
export function abort(id: number): void {
  underway.get(id)?.abort();
}

/** Cancels the reader of a response's body. */
export function cancel(id: number): void {
  underway.get(id)?.cancel();
}
