import fc from "fast-check";
import { expect, test } from "vitest";
import { junitReport } from "../../../../src/extras/recordings/verify/report-junit.ts";
import { tableReport } from "../../../../src/extras/recordings/verify/report-table.ts";
import {
  countOutcomes,
  type VerifiedRequest,
  type VerifyReport,
} from "../../../../src/extras/recordings/verify/report.ts";
import { parseXml } from "../../../support/well-formed-xml.ts";

const same: VerifiedRequest = {
  source: { cassette: "chat-hi", number: 1 },
  interface: "chat",
  request: "GET /models",
  outcome: "same",
  drifts: [],
  leftOut: ["body.id (volatile)"],
  durationMs: 250,
};
const skipped: VerifiedRequest = {
  ...same,
  source: { check: "makes a row" },
  interface: "rest",
  request: undefined,
  outcome: "skipped",
  reason: "there is no <table>",
  leftOut: [],
  durationMs: 0,
};

function drifted(words: string): VerifiedRequest {
  const drift = { place: `body.${words}`, service: words, emulator: "null" };
  const source = { cassette: words, number: 2 };
  return { ...same, source, request: words, outcome: "drift", drifts: [drift, drift], leftOut: [] };
}

function reportOf(...requests: VerifiedRequest[]): VerifyReport {
  return { version: 1, against: {}, counts: countOutcomes(requests), requests };
}

test("shows a line for each difference, for what was skipped and for what was left out", () => {
  expect(tableReport(reportOf(same, skipped, drifted("a")))).toBe(
    "drift  cassettes/a.json 2  a  body.a  service: a  emulator: null\n" +
      "drift  cassettes/a.json 2  a  body.a  service: a  emulator: null\n" +
      "skipped  makes a row    there is no <table>\n" +
      "left out  cassettes/chat-hi.json 1  GET /models  body.id (volatile)\n" +
      "2 requests compared, 2 drifts in 1 request, 1 skipped\n",
  );
});

test("writes JUnit's suites, cases, failures and skips", () => {
  const root = parseXml(junitReport(reportOf(same, skipped, drifted(`<"&'>`))));
  expect(root).toMatchObject({
    name: "testsuites",
    attributes: { tests: "3", failures: "1", errors: "0", skipped: "1", time: "0.500" },
  });
  expect(root.children.map(({ attributes }) => attributes["name"])).toEqual([
    "cassettes/chat-hi.json",
    "contract of rest",
    `cassettes/<"&'>.json`,
  ]);
  const cases = root.children.flatMap(({ children }) => children);
  expect(cases.map(({ attributes }) => attributes["name"])).toEqual([
    "1 GET /models",
    "makes a row",
    `2 <"&'>`,
  ]);
  const line = `body.<"&'>: the service gives <"&'>, the emulator null`;
  expect(cases.map(({ children }) => children[0])).toMatchObject([
    undefined,
    { name: "skipped", attributes: { message: "there is no <table>" } },
    { name: "failure", attributes: { message: line }, text: `${line}\n${line}` },
  ]);
});

test("writes well-formed XML and whole lines, whatever a service says", () => {
  const anything = fc.string({
    unit: fc.nat({ max: 0xff_ff }).map((code) => String.fromCharCode(code)),
  });
  const odd = fc.constantFrom(
    "]]>",
    "<!--",
    "\u0000",
    "\u001B[31m",
    "\r\n",
    "\uD800",
    "\uFFFE",
    "&amp;",
  );
  fc.assert(
    fc.property(fc.oneof(anything, odd), (words) => {
      const report = reportOf(drifted(words), skipped);
      expect(parseXml(junitReport(report)).children.length).toBe(2);
      expect(tableReport(report).split(/[\n\r\u2028\u2029\u0085]/)).toHaveLength(5);
    }),
    { seed: 7, numRuns: 300 },
  );
});
