import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type RecordedRequest,
  usualRecordingRules,
} from "../../../../src/core/recordings/cassette.ts";
import { requestDifferences } from "../../../../src/extras/recordings/replay/request-differences.ts";
import { compileRules } from "../../../../src/core/recordings/recording-rules.ts";
import { requestKey } from "../../../../src/extras/recordings/replay/request-key.ts";
import { tries } from "../../../support/tries.ts";

/** Few values, so that two requests are often the same in part. */
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(null, true, 0, -0, 1, "", "a", "ab"),
    fc.array(tie("any"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "__proto__", "c.d"), tie("any"), { maxKeys: 3 }),
  ),
})).any;

/** Forms with fields of few names and texts, between one of two boundaries. */
const form = fc
  .tuple(
    fc.constantFrom("x", "y"),
    fc.array(fc.tuple(fc.constantFrom("a", "c"), fc.constantFrom("", "1")), { minLength: 1 }),
  )
  .map(([boundary, fields]) => {
    const parts = fields.map(
      ([name, text]) =>
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`,
    );
    return { text: `${parts.join("")}--${boundary}--\r\n` };
  });

const request: fc.Arbitrary<RecordedRequest> = fc.record(
  {
    method: fc.constantFrom("GET", "POST"),
    path: fc.constantFrom("/a", "/%61", "/b"),
    query: fc.constantFrom("a=1", "a=2", "a", "a=", "b=1&a=1", "a=1&b=1", "a=1&a=2", "a=2&a=1"),
    headers: fc.dictionary(fc.constantFrom("x-a", "x-b"), fc.constantFrom("1", "2")),
    body: fc.oneof(
      value.map((json) => ({ json: JSON.parse(JSON.stringify(json)) as unknown })),
      fc.constantFrom({ text: "a" }, { text: '{"a":1}' }, { text: " 1" }, { base64: "AP+A" }),
      form,
    ),
  },
  { requiredKeys: ["method", "path"] },
);

const rules = compileRules({
  ...usualRecordingRules,
  headers: ["x-a"],
  volatile: ["body.a", "body.*.b", "query.b"],
});

const parts = ["method", "path", "query", "headers", "body"] as const;

/** Two requests, of which one has some parts of the other. */
const pair = fc
  .tuple(request, request, fc.subarray<(typeof parts)[number]>([...parts]))
  .map(([one, other, same]) => {
    const shared = same.flatMap((part) => (part in one ? [[part, one[part]] as const] : []));
    return [one, { ...other, ...Object.fromEntries(shared) }] as const;
  });

test("requests differ somewhere exactly when they do not have one key", () => {
  fc.assert(
    fc.property(pair, ([one, other]) => {
      const isSame = requestKey(one, rules) === requestKey(other, rules);
      const found = [...requestDifferences(one, other, rules)];
      expect(found.length === 0).toBe(isSame);
    }),
    { numRuns: tries(5000) },
  );
});
