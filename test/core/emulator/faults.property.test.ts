import * as fc from "fast-check";
import { expect, test } from "vitest";
import { randomFromSeed } from "../../../src/core/emulator/environment.ts";
import { drawDelay } from "../../../src/core/chat/delay.ts";
import { FaultBook } from "../../../src/core/emulator/faults/fault-book.ts";
import type { FaultRule } from "../../../src/core/fixture-set/format/fault-format.ts";
import { createEmulator } from "../../../src/index.ts";
import { tries } from "../../support/tries.ts";

const runs = { numRuns: tries(200) };

const times = fc.integer({ min: 1, max: 5 });
const probability = fc.double({ min: 0, max: 1, noNaN: true });
const every = fc.integer({ min: 1, max: 4 });
const tableName = fc.constantFrom("users", "orders");
const rule = fc.record(
  { table: tableName, times, every, probability, status: fc.constant(503) },
  { requiredKeys: ["status"] },
);
const asked = fc.array(fc.constantFrom("users", "orders"), { maxLength: 60 });

/** Which fault acts on each request for a table. */
function hitsOf(rules: readonly FaultRule[], tables: readonly string[], seed: number): string[] {
  const book = FaultBook.empty();
  for (const each of rules) book.add(each);
  const random = randomFromSeed(seed).next;
  return tables.map((name) => {
    const taken = book.take(({ table = name }) => table === name, random);
    return taken?.id ?? "none";
  });
}

test("the same seed has the same requests hit", () => {
  fc.assert(
    fc.property(fc.array(rule), asked, fc.integer(), (rules, tables, seed) => {
      expect(hitsOf(rules, tables, seed)).toEqual(hitsOf(rules, tables, seed));
    }),
    runs,
  );
});

test("a fault never acts more often than it should, and exactly as often where nothing else decides", () => {
  fc.assert(
    fc.property(fc.array(rule), asked, fc.integer(), (rules, tables, seed) => {
      const hits = hitsOf(rules, tables, seed);
      rules.forEach(({ times: most = Infinity, every: turns = 1 }, index) => {
        const acted = hits.filter((id) => id === `fault ${index + 1}`).length;
        expect(acted).toBeLessThanOrEqual(Math.min(most, tables.length / turns));
      });
      // One that always acts on everything leaves none to those behind it, until it is used up.
      const sole = hitsOf([{ status: 503, times: 4 }, ...rules], tables, seed);
      expect(sole.filter((id) => id === "fault 1")).toHaveLength(Math.min(4, tables.length));
    }),
    runs,
  );
});

test("a fault with a probability acts on about that share of the requests", () => {
  fc.assert(
    fc.property(probability, fc.integer(), (share, seed) => {
      const count = 2_000;
      const tables = Array.from({ length: count }, () => "users");
      const hits = hitsOf([{ status: 503, probability: share }], tables, seed);
      const acted = hits.filter((id) => id === "fault 1").length;
      // Five standard deviations, which one of a million sequences goes beyond.
      const deviation = Math.sqrt(count * share * (1 - share));
      expect(Math.abs(acted - count * share)).toBeLessThanOrEqual(5 * deviation + 1);
    }),
    { numRuns: tries(100) },
  );
});

test("delays stay within their bounds, however far they spread", () => {
  const random = randomFromSeed(7).next;
  const most = 600_000;
  const bound = fc.double({ min: 0, max: most, noNaN: true });
  const median = fc.double({ min: 0.001, max: most, noNaN: true });
  const sigma = fc.double({ min: 0, max: 10, noNaN: true });
  fc.assert(
    fc.property(bound, bound, median, sigma, (one, other, middle, spread) => {
      const [min, max] = [Math.min(one, other), Math.max(one, other)];
      const uniform = drawDelay({ min, max }, random);
      expect(uniform).toBeGreaterThanOrEqual(min);
      expect(uniform).toBeLessThanOrEqual(max);
      const logNormal = drawDelay({ median: middle, sigma: spread }, random);
      expect(logNormal).toBeGreaterThanOrEqual(0);
      expect(logNormal).toBeLessThanOrEqual(most);
    }),
    { numRuns: tries(2_000) },
  );
});

test("half of the log-normal delays are longer than the median, and a sixth one sigma longer", () => {
  const random = randomFromSeed(3).next;
  const drawn = Array.from({ length: 10_000 }, () => drawDelay({ median: 50, sigma: 0.5 }, random));
  const share = (least: number): number => drawn.filter((ms) => ms > least).length / drawn.length;
  expect(share(50)).toBeCloseTo(0.5, 1);
  expect(share(50 * Math.exp(0.5))).toBeCloseTo(0.159, 1);
});

const effect = fc.constantFrom<FaultRule>(
  { status: 503 },
  { status: 429, retryAfterMs: 5, message: "No" },
  { fault: "reset" },
  { fault: "reset", delayMs: { min: 0, max: 0 } },
);
const request = fc.constantFrom(
  ["POST", "/rest/users", { name: "Grace" }],
  ["PATCH", "/v1/rest/users/1", { name: "Grace" }],
  ["DELETE", "/rest/users/1", undefined],
  ["GET", "/rest/users?limit=x", undefined],
  ["POST", "/v1/chat/completions", { model: "m", messages: [{ role: "user", content: "Hi" }] }],
  ["GET", "/nowhere", undefined],
);

/** A state without what its random numbers and its faults are. */
function withoutChance(state: unknown): string {
  const text = JSON.stringify(state);
  return text.replace(/"random":\[[^\]]*\]/, "").replace(/"faults":\[[^\]]*\]/, "");
}

test("what a fault answers changes neither rows nor counters", async () => {
  const emulator = await createEmulator({
    fixtures: {
      seed: 1,
      limits: { requestsPerMinute: 5 },
      tables: { users: [{ id: 1, name: "Ada" }] },
      chats: [{ name: "it", reply: { content: "Hi" } }],
    },
    auth: false,
  });
  const shown = async (): Promise<unknown> => {
    const response = await emulator.fetch("/__backlot/state");
    return response.json();
  };
  const before = withoutChance(await shown());
  await fc.assert(
    fc.asyncProperty(effect, request, async (planned, [method, path, json]) => {
      const { id } = emulator.faults.add({ ...planned, times: 1 });
      const body = json === undefined ? {} : { body: JSON.stringify(json) };
      const answer = emulator.fetch(path, { method, ...body });
      const status = await answer.then((response) => response.status).catch(() => 0);
      expect(status).toBe(planned.status ?? 0);
      expect(emulator.journal.list().at(-1)).toMatchObject({ answeredBy: id, status });
      expect(withoutChance(await shown())).toBe(before);
    }),
    { numRuns: tries(100) },
  );
});
