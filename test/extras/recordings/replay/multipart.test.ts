import { expect, test } from "vitest";
import { binaryBytes } from "../../../../src/core/http/base64.ts";
import {
  type RecordedRequest,
  type RecordingRules,
  usualRecordingRules,
} from "../../../../src/core/recordings/cassette.ts";
import { recordRequestBody } from "../../../../src/core/recordings/recorded-body.ts";
import { compileRules } from "../../../../src/core/recordings/recording-rules.ts";
import { requestDifferences } from "../../../../src/extras/recordings/replay/request-differences.ts";
import { requestKey } from "../../../../src/extras/recordings/replay/request-key.ts";

const purpose = part('form-data; name="purpose"', "batch");
const file = part('form-data; name="file"; filename="a.txt"', "one\r\ntwo", "text/plain");
const picture = part('form-data; name="file"; filename="a.png"', "\u0089PNG\r\n--\0", "image/png");

/** A part of a form, with one character per byte. */
function part(disposition: string, content: string, type?: string): string {
  const ofType = type === undefined ? "" : `Content-Type: ${type}\r\n`;
  return `Content-Disposition: ${disposition}\r\n${ofType}\r\n${content}\r\n`;
}

/** An upload of these parts, between such boundaries. */
function upload(parts: readonly string[], boundary = "first"): RecordedRequest {
  const form = [...parts.map((one) => `--${boundary}\r\n${one}`), `--${boundary}--\r\n`];
  return request(form.join(""));
}

function request(body: string): RecordedRequest {
  const recorded = recordRequestBody(binaryBytes(body));
  return { method: "POST", path: "/files", ...(recorded && { body: recorded }) };
}

type Rules = Partial<RecordingRules>;

/** Whether replay takes two requests for the same, by their keys and by their differences. */
function areSame(one: RecordedRequest, other: RecordedRequest, given: Rules = {}): boolean {
  const rules = compileRules({ ...usualRecordingRules, ...given });
  const isSame = requestKey(one, rules) === requestKey(other, rules);
  expect(requestDifferences(one, other, rules).next().done).toBe(isSame);
  return isSame;
}

test.each([
  ["another boundary", upload([purpose, file]), upload([purpose, file], "second")],
  ["another boundary around bytes", upload([picture]), upload([picture], "second")],
  ["a boundary in quotes of dashes", upload([file], "--x"), upload([file], "----'y z'")],
  ["differently named parts in another order", upload([purpose, file]), upload([file, purpose])],
  ["spaces after boundaries", request(`--a \r\n${file}--a--`), upload([file])],
  [
    "headers in another case",
    upload([file]),
    upload([file.replace("Content-Disposition", "content-disposition")]),
  ],
])("takes uploads with %s for the same", (_, one, other) => {
  expect(areSame(one, other)).toBe(true);
});

test.each([
  ["content", upload([purpose]), upload([purpose.replace("batch", "vision")])],
  ["bytes", upload([picture]), upload([picture.replace("\0", "\u0001")])],
  ["a name", upload([purpose]), upload([purpose.replace("purpose", "use")])],
  ["a file name", upload([file]), upload([file.replace("a.txt", "b.txt")])],
  ["a content type", upload([file]), upload([file.replace("text/plain", "text/html")])],
  ["another header", upload([file]), upload([`x-part: 1\r\n${file}`])],
  ["a parameter", upload([file]), upload([file.replace("; filename", "; size=9; filename")])],
  ["a missing part", upload([purpose, file]), upload([file])],
  ["the order of parts of one name", upload([file, picture]), upload([picture, file])],
  ["a list of one name and one part", upload([purpose, purpose]), upload([purpose])],
  ["a form and the same value as JSON", upload([purpose]), request('{"purpose":"batch"}')],
  ["what looks like a form and has no end", request(`--a\r\n${file}`), request(`--b\r\n${file}`)],
  ["text after the end", request(`--a\r\n${file}--a--x`), request(`--b\r\n${file}--b--x`)],
])("tells uploads apart by %s", (_, one, other) => {
  expect(areSame(one, other)).toBe(false);
});

test("ignores the volatile parts of an upload, and volatile values within them", () => {
  const later = upload([purpose.replace("batch", "vision"), file.replace("a.txt", "b.txt")]);
  const earlier = upload([purpose, file]);
  expect(areSame(earlier, later, { volatile: ["body.purpose"] })).toBe(false);
  expect(areSame(earlier, later, { volatile: ["body.purpose", "body.file.filename"] })).toBe(true);
  expect(areSame(earlier, later, { volatile: ["body.*"] })).toBe(true);
});

/** An upload with its own header, which names the boundary. */
function typed(type: string, boundary: string): RecordedRequest {
  const header = `${type}; boundary="${boundary}"; charset=utf-8`;
  return { ...upload([file], boundary), headers: { "content-type": header } };
}

test("compares the type of an upload without its boundary, if a rule lists the header", () => {
  const rules = { headers: ["content-type"] };
  const form = typed("multipart/form-data", "a");
  expect(areSame(form, typed("multipart/form-data", "b"), rules)).toBe(true);
  expect(areSame(form, typed("multipart/mixed", "b"), rules)).toBe(false);
});

test("finds any value where a part has a placeholder, in a file of bytes too", () => {
  const redact = [{ regex: "\\w+@\\w+\\.com", as: "email" }];
  const rules = compileRules({ ...usualRecordingRules, redact });
  const sent = upload([part('form-data; name="to"', "ada@example.com"), picture], "second");
  const recorded = upload([part('form-data; name="to"', "[email 1]"), picture]);
  expect([...requestDifferences(recorded, sent, rules)]).toEqual([]);
});

test("tells the part in which an upload differs, and both its values", () => {
  const rules = compileRules(usualRecordingRules);
  const sent = upload([purpose.replace("batch", "vision"), file, "\r\nplain\r\n"], "second");
  expect([...requestDifferences(upload([purpose, picture]), sent, rules)]).toMatchObject([
    { at: "body.purpose", recorded: '"batch"', sent: '"vision"' },
    { at: "body.file.filename", recorded: '"a.png"', sent: '"a.txt"' },
    { at: "body.file.headers.content-type", recorded: '"image/png"', sent: '"text/plain"' },
    { at: "body.file.bytes", recorded: '"\u0089PNG\\r\\n--\\u0000"', sent: undefined },
    { at: "body.file.content", recorded: undefined, sent: '"one\\r\\ntwo"' },
    { at: "body.", recorded: undefined, sent: '"plain"' },
  ]);
});
