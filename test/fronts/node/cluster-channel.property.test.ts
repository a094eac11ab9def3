import { Duplex } from "node:stream";
import type { Socket } from "node:net";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Channel } from "../../../src/fronts/node/cluster/channel.ts";

/** What is written to it, and a way to let it read. */
function wire(): { readonly socket: Socket; readonly sent: () => Buffer } {
  const written: Buffer[] = [];
  const stream = new Duplex({
    read: () => undefined,
    write: (data, _, done) => {
      written.push(data);
      done();
    },
  });
  // A channel uses no more of a socket than any stream has.
  return { socket: stream as unknown as Socket, sent: () => Buffer.concat(written) };
}

test("brings messages over in order, wherever the connection cuts their bytes", async () => {
  const messages = fc.array(
    fc.oneof(fc.string(), fc.uint8Array(), fc.record({ id: fc.nat(), text: fc.string() })),
  );
  const property = fc.asyncProperty(
    messages,
    fc.integer({ min: 1, max: 40 }),
    async (all, size) => {
      const there = wire();
      const sender = new Channel<unknown, unknown>(there.socket, () => undefined);
      for (const message of all) sender.send(message);
      await new Promise((resolve) => setImmediate(resolve));
      const got: unknown[] = [];
      const here = wire();
      const receiver = new Channel<unknown, unknown>(here.socket, (message) => got.push(message));
      const bytes = there.sent();
      for (let at = 0; at < bytes.length; at += size)
        here.socket.push(bytes.subarray(at, at + size));
      await new Promise((resolve) => setImmediate(resolve));
      expect(receiver).toBeDefined();
      expect(JSON.stringify(got)).toBe(JSON.stringify(all));
    },
  );
  await fc.assert(property, { seed: 1, numRuns: 50 });
});
