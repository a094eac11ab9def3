import {
  type VerifiedRequest,
  type VerifyReport,
  countOutcomes,
  junitReport,
  tableReport,
} from "../../../../src/extras/recordings/verify/report.ts";
import { tries } from "../../../support/tries.ts";
import fc from "fast-check";
import { expect, test } from "vitest";

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
  source: { check: "inserts a row" },
  interface: "tables",
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
      "skipped  inserts a row    there is no <table>\n" +
      "left out  cassettes/chat-hi.json 1  GET /models  body.id (volatile)\n" +
      "2 requests compared, 2 drifts in 1 request, 1 skipped\n",
  );
});

test("writes JUnit's suites, cases, failures and skips", () => {
  const words = "&lt;&quot;&amp;&apos;&gt;";
  const line = `body.${words}: the service gives ${words}, the emulator null`;
  expect(junitReport(reportOf(same, skipped, drifted(`<"&'>`)))).toBe(
    `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="backlot verify" tests="3" failures="1" errors="0" skipped="1" time="0.500">
  <testsuite name="cassettes/chat-hi.json" tests="1" failures="0" errors="0" skipped="0" time="0.250">
    <testcase classname="cassettes/chat-hi.json" name="1 GET /models" time="0.250"/>
  </testsuite>
  <testsuite name="contract of tables" tests="1" failures="0" errors="0" skipped="1" time="0.000">
    <testcase classname="contract of tables" name="inserts a row" time="0.000">
      <skipped message="there is no &lt;table&gt;"/>
    </testcase>
  </testsuite>
  <testsuite name="cassettes/${words}.json" tests="1" failures="1" errors="0" skipped="0" time="0.250">
    <testcase classname="cassettes/${words}.json" name="2 ${words}" time="0.250">
      <failure type="drift" message="${line}">${line}
${line}</failure>
    </testcase>
  </testsuite>
</testsuites>
`,
  );
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
    `" time="`,
  );
  const shape = tagsOf(junitReport(reportOf(drifted("x"), skipped)));
  fc.assert(
    fc.property(fc.oneof(anything, odd), (words) => {
      const report = reportOf(drifted(words), skipped);
      const xml = junitReport(report);
      expect(tagsOf(xml)).toEqual(shape);
      expect(xml).not.toMatch(/&(?!(?:amp|lt|gt|quot|apos);)/);
      expect(xml).not.toMatch(/[^\P{Cc}\n]|[\p{Surrogate}\uFFFE\uFFFF]/u);
      expect(tableReport(report).split(/[\n\r\u2028\u2029\u0085]/)).toHaveLength(5);
    }),
    { numRuns: tries(300) },
  );
});

/** The tags of a document, with the names of their attributes. */
function tagsOf(xml: string): readonly string[] {
  return xml.split("<").map((tag) => tag.slice(0, tag.indexOf(">")).replaceAll(/="[^"]*"/g, ""));
}
