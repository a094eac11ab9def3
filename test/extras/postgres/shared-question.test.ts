import { expect, test } from "vitest";
import { sharedQuery } from "../../../src/extras/postgres/postgres-tables.ts";

/** A question that is answered when a test says so, by how often it was asked. */
function heldQuestion(): { question: () => Promise<number>; answer: (() => void)[] } {
  const answer: (() => void)[] = [];
  let asked = 0;
  const question = sharedQuery(() => {
    const number = ++asked;
    return new Promise<number>((resolve, reject) => {
      answer.push(() => (number === 2 ? reject(new Error("gone")) : resolve(number)));
    });
  });
  return { question, answer };
}

test("who asks while a question is on its way shares the next one", async () => {
  const { question, answer } = heldQuestion();
  const first = question();
  await expect.poll(() => answer.length).toBe(1);
  const others = [question(), question()];
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
  const asked = async (count: number): Promise<number> => {
    const reply = question();
    await expect.poll(() => answer.length).toBe(count);
    answer[count - 1]?.();
    return reply;
  };
  await asked(1);
  await expect(asked(2)).rejects.toThrow("gone");
  expect(await asked(3)).toBe(3);
});
