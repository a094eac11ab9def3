import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { processOutputs } from "../../../src/fronts/cli/process-outputs.ts";

/** The outputs of a process that is not one, and what was written to its streams, in order. */
function outputs(): {
  readonly io: ReturnType<typeof processOutputs>;
  readonly pieces: string[];
  readonly exit: () => void;
} {
  const pieces: string[] = [];
  const events = new EventEmitter();
  const stream = (name: string): NodeJS.WriteStream => {
    const through = new PassThrough().on("data", (data) => pieces.push(`${name} ${data}`));
    return Object.assign(through as unknown as NodeJS.WriteStream, { isTTY: false });
  };
  const io = processOutputs({
    stdout: stream("out"),
    stderr: stream("err"),
    on: (event, listener) => events.on(event, listener),
  });
  return { io, pieces, exit: () => void events.emit("exit") };
}

test("what a turn of the event loop writes to stdout is sent in one piece", async () => {
  const { io, pieces } = outputs();
  io.stdout.write("one\n");
  io.stdout.write("two\n");
  expect(io.stdout.unread?.()).toBe(8);
  await setImmediate();
  expect(pieces).toEqual(["out one\ntwo\n"]);
});

test("what is written to stderr comes after what was written to stdout before", async () => {
  const { io, pieces } = outputs();
  io.stdout.write("first\n");
  io.stderr.write("second\n");
  io.stdout.write("third\n");
  await setImmediate();
  expect(pieces).toEqual(["out first\n", "err second\n", "out third\n"]);
});

test("a process that ends within a turn has sent all that it wrote", async () => {
  const { io, pieces, exit } = outputs();
  io.stdout.write("the last request\n");
  exit();
  await setImmediate();
  expect(pieces).toEqual(["out the last request\n"]);
});

test("flushed resolves when the reader has what was gathered", async () => {
  const { io, pieces } = outputs();
  io.stdout.write("all\n");
  expect(await io.stdout.flushed?.()).toBe(true);
  expect(pieces).toEqual(["out all\n"]);
});
