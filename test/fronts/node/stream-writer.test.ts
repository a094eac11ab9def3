import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { streamWriter } from "../../../src/fronts/node/stream-writer.ts";

/** A writer for a response, and the pieces that its socket was given. */
function arrange() {
  const pieces: string[] = [];
  const socket = new Socket();
  vi.spyOn(socket, "_write").mockImplementation((piece, encoding, done) => {
    pieces.push(Buffer.from(piece, encoding).toString());
    done();
  });
  vi.spyOn(socket, "_writev").mockImplementation((list, done) => {
    const parts = list.map(({ chunk, encoding }) => Buffer.from(chunk, encoding).toString());
    pieces.push(parts.join(""));
    done();
  });
  const request = new IncomingMessage(socket);
  request.httpVersionMajor = 1;
  request.httpVersionMinor = 1;
  const response = new ServerResponse(request);
  response.assignSocket(socket);
  response.writeHead(200);
  const events = { onBytes: vi.fn<(size: number) => void>(), onRoom: vi.fn<() => void>() };
  const write = streamWriter(response, events);
  return { socket, response, pieces, write, ...events };
}

test("sends the first part with the head, and each other at once", async () => {
  const { write, pieces } = arrange();
  write("one");
  await setImmediate();
  expect(pieces).toEqual([expect.stringMatching(/^HTTP.*\r\n\r\n3\r\none\r\n$/s)]);
  write("other");
  expect(pieces.slice(1)).toEqual(["5\r\nother\r\n"]);
});

test("sends the last part in one piece with the end", async () => {
  const { write, pieces, response } = arrange();
  write("one");
  await setImmediate();
  write("last", true);
  response.end();
  await setImmediate();
  expect(pieces.slice(1)).toEqual(["4\r\nlast\r\n0\r\n\r\n"]);
});

test("keeps parts in their order that are written in one turn of the event loop", async () => {
  const { write, pieces, response } = arrange();
  for (const part of ["one", "two", "three"]) write(part);
  write("four", true);
  response.end();
  await setImmediate();
  expect(pieces.join("").replace(/^.*?\r\n\r\n/s, "")).toBe(
    "3\r\none\r\n3\r\ntwo\r\n5\r\nthree\r\n4\r\nfour\r\n0\r\n\r\n",
  );
});

test("sends bytes at once, the first of them too", () => {
  const { write, pieces } = arrange();
  write(new Uint8Array([0xc3, 0xa9]));
  expect(pieces).toEqual([expect.stringMatching(/\r\n\r\n2\r\né\r\n$/)]);
});

test("counts bytes and not characters", () => {
  const { write, onBytes, pieces } = arrange();
  write(new Uint8Array([65]));
  write("é€");
  expect(onBytes.mock.calls).toEqual([[1], [5]]);
  expect(pieces[1]).toBe("5\r\né€\r\n");
});

test("tells when there is room again after a part that found none", async () => {
  const { socket, write, onRoom } = arrange();
  write("one");
  await setImmediate();
  const waiting: (() => void)[] = [];
  vi.spyOn(socket, "_write").mockImplementation((_piece, _encoding, done) => {
    waiting.push(done);
  });
  expect(write("x".repeat(socket.writableHighWaterMark))).toBe(false);
  await setImmediate();
  expect(onRoom).not.toHaveBeenCalled();
  waiting.pop()?.();
  await setImmediate();
  expect(onRoom).toHaveBeenCalledTimes(1);
});

test("writes nothing more to a connection whose end is on its way", async () => {
  const { socket, write, pieces } = arrange();
  const fail = vi.fn<() => void>();
  socket.on("error", fail);
  write("one");
  await setImmediate();
  socket.end();
  write("late");
  await setImmediate();
  expect([pieces.length, fail.mock.calls]).toEqual([1, []]);
});
