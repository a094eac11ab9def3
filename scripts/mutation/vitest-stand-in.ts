/**
 * What the tests of the mutated rooms take from vitest, for a process that loads them once and runs them many times:
 * a run of vitest begins with loading, which takes longer than most mutants' tests.
 */
import {
  ASYMMETRIC_MATCHERS_OBJECT,
  chai,
  customMatchers,
  GLOBAL_EXPECT,
  JestAsymmetricMatchers,
  JestChaiExpect,
  JestExtend,
  setState,
} from "@vitest/expect";
import { format } from "node:util";
import { collected } from "./collected-tests.ts";
import { wantsManyCases } from "./rooms.ts";

chai.use(JestExtend);
chai.use(JestChaiExpect);
chai.use(JestAsymmetricMatchers);

const asymmetric: object = Reflect.get(globalThis, ASYMMETRIC_MATCHERS_OBJECT) ?? {};

export const expect = Object.assign(
  (value: unknown, message?: string) => chai.expect(value, message),
  chai.expect,
  asymmetric,
);
Reflect.set(globalThis, GLOBAL_EXPECT, expect);
setState(
  { assertionCalls: 0, isExpectingAssertions: false, testPath: "" },
  Reflect.get(globalThis, GLOBAL_EXPECT),
);
Reflect.apply(Reflect.get(chai.expect, "extend"), chai.expect, [expect, customMatchers]);

type Body = (...given: unknown[]) => unknown;

let path: readonly string[] = [];

/** Titles of cases as vitest makes them: `$name` of an object, `%s` and its kin of the others. */
function caseTitle(title: string, given: readonly unknown[], index: number): string {
  return format(`${title} #${index}`, ...given);
}

function add(title: string, body: Body): void {
  if (wantsManyCases.has(title)) return;
  collected.add([...path, title].join(" > "), body);
}

/** Rows are spread where all of them are arrays. */
function spread(row: unknown, rows: readonly unknown[]): readonly unknown[] {
  return rows.every(Array.isArray) && Array.isArray(row) ? row : [row];
}

function inside(title: string, body: () => void): void {
  const before = path;
  path = [...path, title];
  try {
    body();
  } finally {
    path = before;
  }
}

/** The body is the last function, since options may stand before or behind it. */
function bodyOf(given: readonly unknown[]): Body {
  const body = given.find((one): one is Body => typeof one === "function");
  if (body === undefined) throw new Error("A test without a body.");
  return body;
}

export const test = Object.assign(
  (title: string, ...given: unknown[]) => add(title, bodyOf(given)),
  {
    each:
      (rows: readonly unknown[]) =>
      (title: string, ...given: unknown[]) =>
        rows.forEach((row, index) =>
          add(caseTitle(title, spread(row, rows), index), () =>
            bodyOf(given)(...spread(row, rows)),
          ),
        ),
    for:
      (rows: readonly unknown[]) =>
      (title: string, ...given: unknown[]) =>
        rows.forEach((row, index) =>
          add(caseTitle(title, spread(row, rows), index), () => bodyOf(given)(row, { expect })),
        ),
    fails: (title: string, ...given: unknown[]) =>
      add(title, async () => {
        const outcome = await Promise.resolve()
          .then(() => bodyOf(given)())
          .then(
            () => "passed",
            () => "failed",
          );
        if (outcome === "passed") throw new Error("A test that should fail passed.");
      }),
  },
);

export const describe = Object.assign(
  (title: string, ...given: unknown[]) => inside(title, () => void bodyOf(given)()),
  {
    each:
      (rows: readonly unknown[]) =>
      (title: string, ...given: unknown[]) =>
        rows.forEach((row, index) =>
          inside(
            caseTitle(title, spread(row, rows), index),
            () => void bodyOf(given)(...spread(row, rows)),
          ),
        ),
  },
);

/** What is opened for a test stays open: the process ends soon enough. */
export function onTestFinished(): void {}

/** Nothing was set up before the tests, so there is no server but this process. */
export function inject(name: string): object {
  return { missing: `no ${name} in a mutation run` };
}

/** No test of the mutated rooms needs it. */
export const vi = undefined;
