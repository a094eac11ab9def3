import fc from "fast-check";
import { expect, test } from "vitest";
import {
  bodyBytes,
  recordBody,
  recordRequestBody,
} from "../../../src/core/recordings/recorded-body.ts";
import { tries } from "../../support/tries.ts";

const options = { numRuns: tries(500) };
const encoder = new TextEncoder();

test("gives the very bytes of any JSON, however it is written", () => {
  const indent = fc.constantFrom<string | number>(0, 1, 2, 4, 8, "\t");
  const end = fc.constantFrom("", "\n", "\r\n", " ");
  fc.assert(
    fc.property(fc.jsonValue(), indent, end, (value, spaces, last) => {
      const bytes = encoder.encode(JSON.stringify(value, null, spaces) + last);
      expect(bodyBytes(recordBody(bytes))).toEqual(bytes);
    }),
    options,
  );
});

test("gives the very bytes of anything, also when it was written to a file between", () => {
  const bytes = fc.oneof(
    fc.uint8Array(),
    fc.string({ unit: "binary" }).map((text) => encoder.encode(text)),
    fc
      .string({ unit: fc.constantFrom(...Array.from('{}[]",:\\ \n01eé')) })
      .map((text) => encoder.encode(text)),
  );
  fc.assert(
    fc.property(bytes, (sent) => {
      const file = JSON.stringify(recordBody(sent), null, 2);
      expect(bodyBytes(JSON.parse(file))).toEqual(new Uint8Array(sent));
    }),
    options,
  );
});

test("records a request's JSON so that writing and reading it changes nothing", () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const body = recordRequestBody(encoder.encode(text));
      expect(JSON.stringify(JSON.parse(JSON.stringify(body)))).toBe(JSON.stringify(body));
    }),
    options,
  );
});
