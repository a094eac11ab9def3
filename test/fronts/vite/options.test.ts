import { expect, test } from "vitest";
import { backlot } from "../../../src/fronts/vite/index.ts";

const wrong: readonly (readonly [what: string, options: object, says: string])[] = [
  ["a name that is nearly one", { fixturs: "x" }, 'Did you mean "fixtures"?'],
  ["a name of the command line", { port: 4010 }, "write server: { port }"],
  ["a flag's name", { tablesProfile: "starbasedb" }, "Write profiles: { tables:"],
  ["a mode that is nearly one", { mode: "sever" }, 'Did you mean "server"?'],
  ["a mode that is none", { mode: 1 }, 'Expected "server", "msw", "worker" or "off"'],
  [
    "a persistence that is none",
    { mode: "worker", persist: "ever" },
    'Expected "memory", "tab" or "origin"',
  ],
  ["a persistence of another mode", { mode: "msw", persist: "tab" }, 'Use mode: "worker".'],
  ["fixtures that are no path", { fixtures: {} }, "it must be the path of a folder or a file"],
  ["types for another kind of file", { types: "types.ts" }, "a file that ends in .d.ts"],
];

test.each(wrong)("refuses %s", (_, options, says) => {
  expect(() => backlot(options)).toThrow(says);
});
