import { expect, test } from "vitest";
import { ChatLoad, type LoadRule, type Slot } from "../../../src/core/chat/load.ts";

let clock = 0;
const now = (): number => clock;

interface Asked {
  readonly model?: string;
  readonly key?: string;
  readonly signal?: AbortSignal;
}

/** A load, and what enters it: undefined while it waits. */
function loaded(...rules: LoadRule[]) {
  const load = new ChatLoad(rules, now);
  const enter = async ({ model = "m", key, signal }: Asked = {}): Promise<Slot | undefined> => {
    const call = { signal: signal ?? new AbortController().signal };
    return load.enter({ model, key, call });
  };
  return { load, enter };
}

test("answers as many chats as the capacity says, lets as many wait as the queue, and refuses the next", async () => {
  const { load, enter } = loaded({ capacity: 2, queue: 1, status: 503, retryAfterMs: 50 });
  await enter();
  await enter();
  void enter();
  expect(load.counts()).toEqual({ running: 2, waiting: 1 });
  expect((await enter())?.refusal).toEqual({
    status: 503,
    retryAfterMs: 50,
    running: 2,
    waiting: 1,
  });
});

test("gives a place that is left to the one who has waited longest, who knows how long", async () => {
  const { load, enter } = loaded({ capacity: 1, queue: 9 });
  const first = await enter();
  const order: [name: string, queuedMs: number][] = [];
  const wait = (name: string): Promise<void> =>
    enter().then((slot) => void order.push([name, slot?.queuedMs ?? NaN]));
  clock = 100;
  const second = wait("second");
  clock = 130;
  void wait("third");
  clock = 150;
  first?.leave();
  await second;
  expect(order).toEqual([["second", 50]]);
  expect(load.counts()).toEqual({ running: 1, waiting: 1 });
});

test("takes longer the more chats run, evenly up to the factor at full capacity", async () => {
  const { enter } = loaded({ capacity: 5, timeFactor: 3 });
  const factors = [await enter(), await enter(), await enter(), await enter(), await enter()];
  expect(factors.map((slot) => slot?.factor)).toEqual([1, 1.5, 2, 2.5, 3]);
  expect((await loaded({ capacity: 1, timeFactor: 3 }).enter())?.factor).toBe(1);
});

test("forgets a client that leaves while it waits", async () => {
  const { load, enter } = loaded({ capacity: 1, queue: 1 });
  const first = await enter();
  const leaving = new AbortController();
  const second = enter({ signal: leaving.signal });
  leaving.abort();
  await second;
  expect(load.counts()).toEqual({ running: 1, waiting: 0 });
  first?.leave();
  expect(load.counts()).toEqual({ running: 0, waiting: 0 });
});

/** Whether a second chat finds no place, with what it does not share with the first. */
async function isRefused(per: LoadRule["per"], second: Asked): Promise<boolean> {
  const { enter } = loaded({ capacity: 1, ...(per && { per }) });
  await enter({ model: "a", key: "k" });
  return (await enter({ model: "a", key: "k", ...second }))?.refusal !== undefined;
}

test("shares a capacity among all chats, or those of a model or of a key", async () => {
  expect(await isRefused(undefined, { model: "b", key: "l" })).toBe(true);
  expect(await isRefused("model", { model: "b" })).toBe(false);
  expect(await isRefused("model", { key: "l" })).toBe(true);
  expect(await isRefused("key", { key: "l" })).toBe(false);
  expect(await isRefused("key", { model: "b" })).toBe(true);
});

test("the first rule for a model counts; a chat without a rule is answered as if there were none", async () => {
  const { load, enter } = loaded({ model: "large-*", capacity: 1 }, { model: "l*", capacity: 9 });
  await enter({ model: "large-1" });
  expect((await enter({ model: "large-2" }))?.refusal).toBeDefined();
  expect((await enter({ model: "little" }))?.refusal).toBeUndefined();
  expect(await enter({ model: "other" })).toBeUndefined();
  expect(load.counts().running).toBe(2);
});
