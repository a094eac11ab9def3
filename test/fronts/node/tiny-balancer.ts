import { createServer, request, Agent } from "node:http";
import { once } from "node:events";
import { pipeline } from "node:stream/promises";
import { crc32 } from "node:zlib";
import type { Balancer } from "../../../scripts/scale/balancer.ts";

/** As little of a load balancer as hashes the session, for machines without nginx. */
export async function startTinyBalancer(backends: readonly number[]): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true });
  const server = createServer((asked, answer) => {
    const session = sessionOf(asked.url ?? "", asked.headers["x-backlot-session"]);
    const port = backends[crc32(session) % backends.length];
    const { method, url: path, headers } = asked;
    const sent = request({ agent, port, method, path, headers }, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers);
      pipeline(got, answer).catch(() => answer.destroy());
    });
    // No other process has the session.
    sent.once("error", () => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end()));
    pipeline(asked, sent).catch(() => undefined);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      agent.destroy();
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

function sessionOf(url: string, header: string | readonly string[] | undefined): string {
  const [, id] = /^\/@([^/?]+)/.exec(url) ?? [];
  return id === undefined ? String(header ?? "") : decodeURIComponent(id);
}
