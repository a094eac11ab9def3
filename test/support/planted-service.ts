import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { onTestFinished } from "vitest";

/** Answers a request as it likes. Undefined: it did, by itself. */
export type PlantedAnswer = (
  request: Request,
  raw: { readonly incoming: IncomingMessage; readonly response: ServerResponse },
) => Promise<Response | undefined>;

/** Starts a server of `node:http` that gives what a function answers, until the test is over. Resolves with its URL. */
export async function plantedService(answer: PlantedAnswer): Promise<string> {
  const server = createServer((incoming, response) => {
    void pass(incoming, response, answer);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
}

async function pass(
  incoming: IncomingMessage,
  response: ServerResponse,
  answer: PlantedAnswer,
): Promise<void> {
  const body: Uint8Array[] = [];
  for await (const part of incoming) body.push(part as Uint8Array);
  const { method = "GET", url = "/" } = incoming;
  const headers = Object.entries(incoming.headers).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  const bytes = Buffer.concat(body);
  const request = new Request(`http://localhost${url}`, {
    method,
    headers,
    ...(bytes.byteLength === 0 ? {} : { body: bytes }),
  });
  const given = await answer(request, { incoming, response });
  if (given === undefined) return;
  response.writeHead(given.status, Object.fromEntries(given.headers));
  response.end(Buffer.from(await given.arrayBuffer()));
}
