import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { askRaw, onlyRecording } from "./recorded.ts";
import { startRecording } from "./recording-proxy.ts";

const head = "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ntransfer-encoding: chunked\r\n\r\n";

/** A service that answers each request with these pieces, each by itself, and keeps its connections. */
async function startPieces(pieces: readonly string[]): Promise<string> {
  const sockets = new Set<{ destroy: () => void }>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.setNoDelay(true).on("error", () => undefined);
    socket.on("data", () => send(0));
    const send = (index: number): void => {
      const piece = pieces[index];
      // So that each is read by itself. Where two are not, the answer is the same.
      if (piece !== undefined) socket.write(piece, () => setTimeout(() => send(index + 1), 5));
    };
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test.each([
  ["whole chunks", [head, "1\r\na\r\n1\r\nb\r\n", "1\r\nc\r\n1\r\nd\r\n", "0\r\n\r\n"]],
  [
    "a piece that begins and ends within chunks",
    [`${head}2\r\na`, "b\r\n1\r\nc\r\n2", "\r\nde\r\n0\r\n\r\n"],
  ],
  ["the first chunk beside the head", [`${head}1\r\na\r\n`, "1\r\nb\r\n1\r\nc\r\n0\r\n\r\n"]],
  [
    "extensions and trailers",
    [head, "1;x=1\r\na\r\n1\r\nb\r\n1\r\nc\r\n", "0\r\nx-end: 1\r\n\r\n"],
  ],
  [
    "a head that comes in two",
    [head.slice(0, 30), `${head.slice(30)}1\r\na\r\n`, "1\r\nb\r\n1\r\nc\r\n0\r\n\r\n"],
  ],
  [
    "an early hint before it",
    ["HTTP/1.1 103 Early Hints\r\nlink: <a>\r\n\r\n", head, "1\r\na\r\n1\r\nb\r\n", "0\r\n\r\n"],
  ],
  [
    "an early hint beside it",
    [`HTTP/1.1 103 Early Hints\r\n\r\n${head}`, "1\r\na\r\n1\r\nb\r\n", "0\r\n\r\n"],
  ],
])("passes chunks on and records them: %s", async (_, pieces) => {
  const expected = pieces
    .join("")
    .split("chunked\r\n\r\n")
    .at(-1)
    ?.match(/(?<=\r\n)[a-e]+/g);
  const proxy = await startRecording({ tables: await startPieces(pieces) });
  // The connection is used again.
  for (let count = 0; count < 2; count++) {
    const { body } = await askRaw(`${proxy.tablesUrl}/users`);
    expect(body).toBe(expected?.join(""));
  }
  const { cassettes } = await proxy.finish();
  expect(cassettes[0]?.recordings).toHaveLength(2);
});

test("breaks the client's stream where the chunks of the service are none", async () => {
  const service = await startPieces([`${head}1\r\na\r\n`, "1\r\nb\r\n1\r\nc\r\n", "oh no\r\n"]);
  const proxy = await startRecording({ tables: service });
  expect(await askRaw(`${proxy.tablesUrl}/users`)).toMatchObject({ body: "abc", isBroken: true });
  const { answer } = onlyRecording((await proxy.finish()).cassettes);
  expect(answer.end?.how).toBe("reset");
});
