import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { HeldResponses } from "../../../src/fronts/node/held-responses.ts";

/** A response that is ended with a text, and the pieces that its socket was given. */
function end(
  held: HeldResponses,
  text: string,
): { readonly response: ServerResponse; readonly pieces: string[] } {
  const pieces: string[] = [];
  const socket = new Socket();
  vi.spyOn(socket, "_write").mockImplementation((piece, _encoding, done) => {
    pieces.push(String(piece));
    done();
  });
  const response = new ServerResponse(new IncomingMessage(socket));
  response.assignSocket(socket);
  response.writeHead(200, { "content-length": text.length });
  held.end(response, text, text.length);
  return { response, pieces };
}

test("sends each response in one piece once the turn of the event loop is over", async () => {
  const held = new HeldResponses(() => 0);
  const [one, other] = [end(held, "one"), end(held, "other")];
  expect([one.pieces, other.pieces]).toEqual([[], []]);
  await setImmediate();
  expect(one.pieces).toEqual([expect.stringMatching(/^HTTP.*\r\n\r\none$/s)]);
  expect(other.pieces).toEqual([expect.stringMatching(/^HTTP.*\r\n\r\nother$/s)]);
  expect([one.response.writableEnded, other.response.writableEnded]).toEqual([true, true]);
});

test("holds none for longer than a millisecond while others are answered", () => {
  let now = 5;
  const held = new HeldResponses(() => now);
  const one = end(held, "one");
  now = 5.9;
  const soon = end(held, "soon");
  expect(one.pieces).toEqual([]);
  now = 6;
  const late = end(held, "late");
  expect([one, soon, late].map(({ pieces }) => pieces.length)).toEqual([1, 1, 1]);
});

test("counts the millisecond anew for what comes after", () => {
  let now = 0;
  const held = new HeldResponses(() => now);
  end(held, "one");
  held.release();
  now = 7;
  const next = end(held, "next");
  end(held, "last");
  expect(next.pieces).toEqual([]);
});

test("lets go of a client that went meanwhile", async () => {
  const held = new HeldResponses(() => 0);
  const [gone, other] = [end(held, "gone"), end(held, "other")];
  gone.response.destroy();
  await setImmediate();
  expect([gone.pieces.length, other.pieces.length]).toEqual([0, 1]);
});
