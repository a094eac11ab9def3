import type { Service } from "./transports.ts";

/** An answer, read completely. `body` is parsed where it is JSON, else the text. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: unknown;
}

export interface Asking {
  /** Sent as JSON, with its content type. */
  readonly json?: unknown;
  /** Sent as it is, with the content type of JSON unless `headers` say otherwise. */
  readonly body?: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Default `local-token`, which fits tables, and chat where it takes any key; null: none. */
  readonly token?: string | null;
  readonly signal?: AbortSignal;
}

/** Makes a request of a line such as `GET /rest/users?id=1`. */
export async function ask(
  service: Pick<Service, "fetch">,
  line: string,
  asking: Asking = {},
): Promise<Answer> {
  const response = await send(service, line, asking);
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
  const body: unknown = isJson && text !== "" ? JSON.parse(text) : text;
  return { status: response.status, headers: response.headers, text, body };
}

/** As `ask`, with the response as it comes. */
export function send(
  service: Pick<Service, "fetch">,
  line: string,
  { json, body, headers, token = "local-token", signal }: Asking = {},
): Promise<Response> {
  const space = line.indexOf(" ");
  const sent = json === undefined ? body : JSON.stringify(json);
  return service.fetch(line.slice(space + 1), {
    method: line.slice(0, space),
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(sent === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(sent === undefined ? {} : { body: sent }),
    ...(sent instanceof ReadableStream ? { duplex: "half" } : {}),
    ...(signal === undefined ? {} : { signal }),
  });
}
