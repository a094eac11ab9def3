import { afterEach, expect, test, vi } from "vitest";
import { createEmulator } from "../../../src/index.ts";
import { serve } from "../../support/served.ts";
import {
  ask,
  comesByItself,
  comesInTime,
  fixtures,
  isToldLive,
  kinds,
  settle,
  until,
} from "../../support/runners/fake-time.mjs";

const emulator = await createEmulator({ fixtures, auth: false });

afterEach(() => void vi.useRealTimers());

type Faked = NonNullable<NonNullable<Parameters<typeof vi.useFakeTimers>[0]>["toFake"]>;

/** Ways of faking in which `setTimeout` is a fake. */
const fakes: readonly (readonly [string, Faked | undefined])[] = [
  ["all that vitest fakes", undefined],
  ["setTimeout alone", ["setTimeout", "clearTimeout"]],
  ["setTimeout and Date", ["setTimeout", "clearTimeout", "Date"]],
  ["setTimeout and performance", ["setTimeout", "clearTimeout", "performance"]],
  [
    "all but performance",
    ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "setImmediate", "Date"],
  ],
];

/** Ways in which it is the real one, or one that goes on by itself. */
const moving: readonly (readonly [string, Parameters<typeof vi.useFakeTimers>[0]])[] = [
  ["Date alone", { toFake: ["Date"] }],
  ["performance alone", { toFake: ["performance"] }],
  ["timers that advance by themselves", { shouldAdvanceTime: true }],
];

const advance = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

const faked = fakes.flatMap(([way, toFake]) => kinds.map((kind) => ({ way, toFake, kind })));

test.for(faked)("$kind comes when its time has come: $way", async ({ toFake, kind }) => {
  vi.useFakeTimers(toFake === undefined ? {} : { toFake });
  await expect(comesInTime(emulator, kind, advance)).resolves.toBeUndefined();
});

const running = moving.flatMap(([way, options]) => kinds.map((kind) => ({ way, options, kind })));

test.for(running)("$kind comes by itself: $way", async ({ options, kind }) => {
  vi.useFakeTimers(options);
  await expect(comesByItself(emulator, kind)).resolves.toBeUndefined();
});

test.for([
  ...fakes.map(([way, toFake]) => ({ way, options: { toFake } })),
  ...moving.map(([way, options]) => ({ way, options })),
])("live requests come by themselves: $way", async ({ options }) => {
  vi.useFakeTimers(options);
  await expect(isToldLive(emulator)).resolves.toBeUndefined();
});

test.for(fakes)(
  "a stream that a test leaves open blocks no other, before or after: %s",
  async ([, toFake]) => {
    const opened = ask(emulator, "pace");
    await until(() => opened.text.includes("one"));
    for (let round = 0; round < 2; round++) {
      vi.useFakeTimers(toFake === undefined ? {} : { toFake });
      const left = ask(emulator, "pace");
      await until(() => left.text.includes("one"));
      await comesInTime(emulator, "pace", advance);
      vi.useRealTimers();
      await comesByItself(emulator, "wait");
    }
    await until(() => opened.isOver);
    expect(opened.text).toContain("two");
  },
);

test("a body that nobody reads yet is there as far as the time has come", async () => {
  vi.useFakeTimers();
  const response = await emulator.fetch("/v1/chat/completions", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      model: "m",
      stream: true,
      messages: [{ role: "user", content: "pace" }],
    }),
  });
  await advance(5_000);
  expect(await response.text()).toContain("[DONE]");
});

test("the first request of an emulator needs no more time than it is told to take", async () => {
  vi.useFakeTimers();
  const slow = await createEmulator({ fixtures, auth: false, latency: 1_000 });
  const asked = slow.fetch("/rest/users");
  await advance(1_000);
  expect((await asked).status).toBe(200);
});

test("a server keeps real time", async () => {
  await using served = await serve(fixtures, { auth: false });
  vi.useFakeTimers();
  const body = JSON.stringify({
    model: "m",
    stream: true,
    messages: [{ role: "user", content: "pace" }],
  });
  const headers = { "content-type": "application/json" };
  const response = await served.fetch("/v1/chat/completions", { method: "POST", headers, body });
  expect(await response.text()).toContain("[DONE]");
});

test("the journal measures what the test's clock shows, and never less than nothing", async () => {
  emulator.journal.clear();
  const left = ask(emulator, "stall");
  await until(() => left.text.includes("one"));
  vi.useFakeTimers();
  await comesInTime(emulator, "pace", advance);
  vi.useRealTimers();
  left.leave();
  await settle();
  const [first, second] = emulator.journal.list().map(({ durationMs }) => durationMs);
  const movedOn = 600_000;
  for (const measured of [first, second]) {
    expect(measured).toBeGreaterThanOrEqual(movedOn);
    expect(measured).toBeLessThan(movedOn + 60_000);
  }
});
