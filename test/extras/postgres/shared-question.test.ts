import { expect, test } from "vitest";
import { SharedQuestion } from "../../../src/extras/postgres/postgres-tables.ts";

/** A question that is answered when a test says so, by how often it was asked. */
function heldQuestion(): { question: SharedQuestion<number>; answer: (() => void)[] } {
  const answer: (() => void)[] = [];
  let asked = 0;
  const question = new SharedQuestion(() => {
    const number = ++asked;
    return new Promise<number>((resolve, reject) => {
      answer.push(() => (number === 2 ? reject(new Error("gone")) : resolve(number)));
    });
  });
  return { question, answer };
}

test("who asks while a question is on its way shares the next one", async () => {
  const { question, answer } = heldQuestion();
  const first = question.ask();
  const others = [question.ask(), question.ask()];
  expect(answer).toHaveLength(1);
  answer[0]?.();
  expect(await first).toBe(1);
  await expect.poll(() => answer.length).toBe(2);
  answer[1]?.();
  expect((await Promise.allSettled(others)).map(({ status }) => status)).toEqual([
    "rejected",
    "rejected",
  ]);
});

test("after a question that failed the next one is asked", async () => {
  const { question, answer } = heldQuestion();
  const asked = [question.ask()];
  answer[0]?.();
  await asked[0];
  const failed = question.ask();
  answer[1]?.();
  await expect(failed).rejects.toThrow("gone");
  const last = question.ask();
  answer[2]?.();
  expect(await last).toBe(3);
});
