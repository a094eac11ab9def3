import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { serve } from "../../support/served.ts";

/** A port as the system's table has it. */
function inHex(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, "0");
}

/** What the system waits for on a TCP connection: the second timer of a line is the one of keep-alive. */
async function timerOf(localPort: number, peerPort: number): Promise<string | undefined> {
  const table = await readFile("/proc/net/tcp", "utf8");
  const line = table
    .split("\n")
    .map((text) => text.trim().split(/\s+/))
    .find(
      ([, local, peer]) => local?.endsWith(inHex(localPort)) && peer?.endsWith(inHex(peerPort)),
    );
  return line?.[5]?.slice(0, 2);
}

test.runIf(process.platform === "linux")(
  "has the system ask a silent client whether it is still there",
  async () => {
    const chats = [{ name: "slow", reply: { chunks: ["first", { wait: 3_600_000 }, "second"] } }];
    await using served = await serve({ chats });
    using connection = await served.connect();
    const body = JSON.stringify({
      model: "x",
      stream: true,
      messages: [{ role: "user", content: "x" }],
    });
    connection.send(
      "POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer k\r\n" +
        `content-length: ${body.length}\r\n\r\n${body}`,
    );
    await connection.until("first");
    const { localPort = 0 } = connection.socket;
    await expect.poll(() => timerOf(served.server.port, localPort)).toBe("02");
  },
);
