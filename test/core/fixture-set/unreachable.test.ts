import { expect, test } from "vitest";
import { assembleFiles, finishReading } from "../../../src/core/fixture-set/read-fixtures.ts";
import { unreachableWarnings } from "../../../src/core/fixture-set/scripts/unreachable.ts";
import type { Script } from "../../../src/core/chat/scripts/script.ts";
import { unreachableScripts } from "../../../src/core/chat/scripts/script-warnings.ts";
import { folder } from "./problems-of.ts";

/** Whether the second of two scripts is said to be unreachable. */
function hides(first: Partial<Script>, second: Partial<Script>): boolean {
  const replies = [{ content: "a" }] as const;
  const scripts = [first, second].map((part, index) => ({ name: `s${index}`, replies, ...part }));
  return unreachableScripts(scripts).length > 0;
}

test.each<[Script["when"], Script["when"]]>([
  [undefined, { user: "a" }],
  [{}, undefined],
  [{ model: "*" }, {}],
  [{ model: "atlas*" }, { model: "atlas-?" }],
  [{ user: "rain" }, { user: "rainy" }],
  [{ user: { contains: "rain" } }, { user: { equals: "no rain" }, turn: 1 }],
  [{ user: { regex: "^r", flags: "i" } }, { user: { equals: "Rain" } }],
  [{ user: { anyOf: ["a", "b"] } }, { user: { anyOf: ["ab", "cb"] } }],
  [{ anyMessage: "rain" }, { user: "rain" }],
  [{ toolResult: {} }, { toolResult: { name: "f" } }],
  [{ header: { "X-A": "1" } }, { header: { "x-a": "1", "x-b": "2" } }],
  [{ request: { a: { equals: { b: 1, c: 2 } } } }, { request: { a: { equals: { c: 2, b: 1 } } } }],
])("%j hides %j", (first, second) => {
  const [wide, narrow] = [first, second].map((when) => (when === undefined ? {} : { when }));
  expect(hides(wide ?? {}, narrow ?? {})).toBe(true);
});

test.each<[Partial<Script>, Partial<Script>]>([
  [{ times: 5 }, {}],
  [{ after: "end" }, {}],
  [{ when: { user: "" } }, {}],
  [{ when: { model: "a*" } }, { when: { model: "*" } }],
  [{ when: { user: "rainy" } }, { when: { user: "rain" } }],
  [{ when: { user: { regex: "r" } } }, { when: { user: { regex: "r", flags: "i" } } }],
  [{ when: { user: "a" } }, { when: { anyMessage: "a" } }],
  [{ when: { turn: 0 } }, { when: { turn: 1 } }],
  [{ when: { request: { a: 1 } } }, { when: { request: { a: "1" } } }],
])("%j does not hide %j", (first, second) => {
  expect(hides(first, second)).toBe(false);
});

test("warns with the place of both scripts", async () => {
  const files = folder({
    "chats/a.json": `{ "reply": { "content": "a" } }`,
    "chats/b.json": `[\n  { "name": "hi", "when": { "user": "hi" }, "reply": { "content": "b" } }\n]`,
  });
  const assembled = await assembleFiles(files, "folder");
  const set = await finishReading(assembled, {});
  expect(await unreachableWarnings(set, assembled.origins)).toEqual([
    {
      file: "fx/chats/b.json",
      line: 2,
      column: 3,
      path: "[0]",
      message:
        'The script "hi" can never answer: "a" (fx/chats/a.json:1:1) is tried before it and matches every request ' +
        'that it matches. Move "hi" before "a", or narrow the "when" of "a".',
    },
  ]);
});
