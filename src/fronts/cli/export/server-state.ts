import { noBacklotAnswers, serverUnreachable } from "../../../core/errors/no-server.ts";
import { defaultPort } from "../../../core/settings/settings.ts";
import { fetchDirectly } from "../../node/fetch-directly.ts";
import { controlClient } from "../../remote/control-client.ts";

/** The server whose state is exported. */
export interface ServerOptions {
  readonly url?: string;
  readonly session?: string;
  readonly controlToken?: string;
}

export const defaultUrl: string = `http://127.0.0.1:${defaultPort}`;

/** After this many milliseconds, a server is reported as not answering. */
const graceMs = 60_000;

/** Reads a server's state as text, in chunks. Rejects if the text breaks off, or is not a state. */
export async function* serverState(options: ServerOptions): AsyncGenerator<string, void> {
  const { url: server = defaultUrl, session, controlToken } = options;
  const url = session === undefined ? server : `${server}/@${encodeURIComponent(session)}`;
  const name = "Name the server with --url.";
  const token =
    controlToken === undefined
      ? "Give the server's token: --control-token <t>."
      : "Set --control-token to the server's own.";
  const ask = controlClient({
    url,
    controlToken,
    advice: { start: "Start one with backlot start, or name it with --url.", name, token },
    send: fetchDirectly,
    timeoutMs: graceMs,
  });
  const what = "export the state";
  const path = "/state?indent=2";
  const body = await ask<ReadableStream<Uint8Array>>(what, { path, asStream: true });
  const decoder = new TextDecoder();
  let isState = false;
  try {
    for await (const bytes of body) {
      const text = decoder.decode(bytes, { stream: true });
      isState ||= /^\{\s*"(?:profiles|models)":/.test(text);
      if (!isState) break;
      yield text;
    }
  } catch (cause) {
    throw serverUnreachable({ what, url, advice: "Try again." }, cause);
  }
  if (!isState) throw noBacklotAnswers({ what, url, advice: name }, 200);
}
