import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { HeldResponses } from "../../../src/fronts/node/held-responses.ts";

/** A response whose text is written to a corked socket, and the pieces that its socket was given. */
function written(text: string): { readonly response: ServerResponse; readonly pieces: string[] } {
  const pieces: string[] = [];
  const socket = new Socket();
  vi.spyOn(socket, "_write").mockImplementation((piece, _encoding, done) => {
    pieces.push(String(piece));
    done();
  });
  const response = new ServerResponse(new IncomingMessage(socket));
  response.assignSocket(socket);
  socket.cork();
  response.writeHead(200, { "content-length": text.length });
  response.write(text);
  return { response, pieces };
}

test("sends each response in one piece once the turn of the event loop is over", async () => {
  const held = new HeldResponses({ now: () => 0 });
  const [one, other] = [written("one"), written("other")];
  held.hold(one.response);
  held.hold(other.response);
  expect([one.pieces, other.pieces]).toEqual([[], []]);
  await setImmediate();
  expect(one.pieces).toEqual([expect.stringMatching(/^HTTP.*\r\n\r\none$/s)]);
  expect(other.pieces).toEqual([expect.stringMatching(/^HTTP.*\r\n\r\nother$/s)]);
  expect([one.response.writableEnded, other.response.writableEnded]).toEqual([true, true]);
});

test("holds none for longer than a millisecond while others are answered", () => {
  let now = 5;
  const held = new HeldResponses({ now: () => now });
  const [one, soon, late] = [written("one"), written("soon"), written("late")];
  held.hold(one.response);
  now = 5.9;
  held.hold(soon.response);
  expect(one.pieces).toEqual([]);
  now = 6;
  held.hold(late.response);
  expect([one, soon, late].map(({ pieces }) => pieces.length)).toEqual([1, 1, 1]);
});

test("counts the millisecond anew for what comes after", () => {
  let now = 0;
  const held = new HeldResponses({ now: () => now });
  held.hold(written("one").response);
  held.release();
  now = 7;
  const [next, last] = [written("next"), written("last")];
  held.hold(next.response);
  held.hold(last.response);
  expect(next.pieces).toEqual([]);
});

test("lets go of a client that went meanwhile", async () => {
  const held = new HeldResponses({ now: () => 0 });
  const [gone, other] = [written("gone"), written("other")];
  held.hold(gone.response);
  held.hold(other.response);
  gone.response.destroy();
  await setImmediate();
  expect([gone.pieces.length, other.pieces.length]).toEqual([0, 1]);
});
