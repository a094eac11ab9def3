import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type Due, DueQueue } from "../../../src/core/http/due-queue.ts";

test("gives nothing when it is empty", () => {
  const queue = new DueQueue<Due>();
  expect(queue.first()).toBeUndefined();
  expect(queue.takeFirst()).toBeUndefined();
});

test("shows the earliest entry without taking it", () => {
  const queue = new DueQueue<Due>();
  queue.add({ due: 2 });
  queue.add({ due: 1 });
  expect(queue.first()).toEqual({ due: 1 });
  expect(queue.takeFirst()).toEqual({ due: 1 });
  expect(queue.takeFirst()).toEqual({ due: 2 });
  expect(queue.takeFirst()).toBeUndefined();
});

test("gives the earliest entry after any sequence of adding and taking", () => {
  const step = fc.oneof(fc.integer({ min: -50, max: 50 }), fc.constant("take" as const));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const queue = new DueQueue<Due>();
      const model: number[] = [];
      for (const value of steps) {
        const first = model[0];
        const taken = value === "take" ? queue.takeFirst()?.due : first;
        if (value === "take") model.shift();
        else model.push(value);
        if (value !== "take") queue.add({ due: value });
        model.sort((left, right) => left - right);
        expect([taken, queue.first()?.due]).toEqual([first, model[0]]);
      }
    }),
  );
});
