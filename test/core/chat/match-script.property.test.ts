import * as fc from "fast-check";
import { expect, test } from "vitest";
import { takeMatch } from "../../../src/core/chat/matching/match-script.ts";
import { checkScript } from "../../../src/core/chat/scripts/check-script.ts";
import { ScriptBook } from "../../../src/core/chat/scripts/script-book.ts";
import type { Script } from "../../../src/core/chat/scripts/script.ts";
import { covers, unreachableScripts } from "../../../src/core/chat/scripts/script-warnings.ts";
import { tries } from "../../support/tries.ts";
import { limits, requests, whens } from "./arbitrary-chats.ts";
import { naiveEnd, naiveHolds, type Sent, subjectOf } from "./naive-matching.ts";

function scriptsOf(count: { readonly min: number; readonly max: number }): fc.Arbitrary<Script[]> {
  return fc
    .array(fc.tuple(whens, limits), { minLength: count.min, maxLength: count.max })
    .map((parts) =>
      parts.map(([when, limit], index) => ({
        name: `s${index}`,
        when,
        replies: [{ content: "a" }],
        ...limit,
      })),
    );
}

/** The scripts and counters of a book, kept in the plainest way. */
interface NaiveBook {
  readonly scripts: readonly Script[];
  readonly matches: Readonly<Record<string, number>>;
}

function naiveMatch({ scripts, matches }: NaiveBook, sent: Sent): string | undefined {
  return scripts.find((script) => {
    const { name, when = {}, times = Infinity, after, count } = script;
    const most = Math.min(times, after === "end" && count === undefined ? 1 : Infinity);
    return (matches[name] ?? 0) < most && naiveHolds(when, sent) && naiveEnd(script, sent);
  })?.name;
}

/** What can happen to a book. */
type Step =
  | { readonly kind: "ask"; readonly sent: Sent }
  | { readonly kind: "add"; readonly script: Script }
  | { readonly kind: "remove"; readonly place: number }
  | { readonly kind: "snapshot" | "restore" };

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant("ask" as const), sent: requests }) },
  {
    weight: 2,
    arbitrary: fc.tuple(whens, limits).map(([when, limit]): Step => ({
      kind: "add",
      script: { name: "new", when, replies: [{ content: "a" }], ...limit },
    })),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("remove" as const), place: fc.nat(60) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom("snapshot" as const, "restore" as const) }),
  },
);

test("the first script whose criteria all hold and that is not used up answers, whatever happened before", () => {
  const property = fc.property(
    scriptsOf({ min: 10, max: 40 }),
    fc.array(steps, { maxLength: 40 }),
    (scripts, all) => {
      const book = ScriptBook.of(scripts);
      let naive: NaiveBook = { scripts, matches: {} };
      let kept = { snapshot: book.snapshot(), naive };
      for (const [index, step] of all.entries()) {
        if (step.kind === "ask") {
          const name = naiveMatch(naive, step.sent);
          expect(takeMatch(book, subjectOf(step.sent))?.script.name).toBe(name);
          if (name === undefined) continue;
          const count = (naive.matches[name] ?? 0) + 1;
          naive = { ...naive, matches: { ...naive.matches, [name]: count } };
        } else if (step.kind === "add") {
          const added = { ...step.script, name: `new${index}` };
          book.add(added);
          naive = { ...naive, scripts: [added, ...naive.scripts] };
        } else if (step.kind === "remove") {
          const { name } = naive.scripts[step.place] ?? { name: "nobody" };
          expect(book.remove(name)).toBe(naive.scripts.some((script) => script.name === name));
          const { [name]: _, ...matches } = naive.matches;
          naive = { scripts: naive.scripts.filter((script) => script.name !== name), matches };
        } else if (step.kind === "snapshot") {
          kept = { snapshot: book.snapshot(), naive };
        } else {
          book.restore(kept.snapshot);
          ({ naive } = kept);
        }
        expect(book.list()).toEqual(naive.scripts);
      }
    },
  );
  fc.assert(property, { numRuns: tries(150) });
});

test("a `when` that covers another holds for every request that the other holds for", () => {
  let covered = 0;
  const property = fc.property(
    whens,
    whens,
    fc.array(requests, { maxLength: 8 }),
    (wide, narrow, all) => {
      if (!covers(wide, narrow)) return;
      covered++;
      for (const sent of all) {
        expect(naiveHolds(wide, sent) || !naiveHolds(narrow, sent)).toBe(true);
      }
    },
  );
  fc.assert(property, { numRuns: tries(8_000) });
  expect(covered).toBeGreaterThan(tries(150));
});

test("no request is answered by a script that is said to be unreachable", () => {
  const property = fc.property(
    scriptsOf({ min: 2, max: 8 }),
    fc.array(requests, { maxLength: 10 }),
    (scripts, all) => {
      const unreachable = unreachableScripts(scripts).map(({ script }) => script.name);
      const book = ScriptBook.of(scripts);
      const answered = all.map((sent) => takeMatch(book, subjectOf(sent))?.script.name);
      for (const name of answered) expect(unreachable).not.toContain(name);
    },
  );
  fc.assert(property, { numRuns: tries(600) });
});

test("no request is answered by a script whose conditions are refused", () => {
  let refused = 0;
  const property = fc.property(
    whens,
    limits,
    fc.array(requests, { maxLength: 8 }),
    (when, limit, all) => {
      const script: Script = { name: "s", when, replies: [{ content: "a" }], ...limit };
      // A part that is refused for itself may leave others that match.
      const isRefused = checkScript(script).some(
        ({ path }) => !path.includes("anyOf") && !path.includes("not"),
      );
      if (!isRefused) return;
      refused++;
      for (const sent of all) {
        expect(naiveHolds(when, sent) && naiveEnd(script, sent)).toBe(false);
      }
    },
  );
  fc.assert(property, { numRuns: tries(8_000) });
  expect(refused).toBeGreaterThan(tries(100));
});
