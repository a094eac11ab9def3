import {
  type VerifiedRequest,
  type VerifyReport,
  countOutcomes,
  driftLine,
  oneLine,
} from "./report.ts";
import { nameOf } from "./step.ts";

/** The report as JUnit's XML: a suite for each cassette or interface, a test for each request. Ends with a newline. */
export function junitReport({ counts, requests }: VerifyReport): string {
  const suites = new Map<string, VerifiedRequest[]>();
  for (const request of requests) {
    const name = suiteOf(request);
    suites.set(name, [...(suites.get(name) ?? []), request]);
  }
  const { drifted, skipped } = counts;
  const head = attributes({
    name: "backlot verify",
    tests: requests.length,
    failures: drifted,
    errors: 0,
    skipped,
    time: seconds(requests),
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${head}>`,
    ...[...suites].map(([name, own]) => suite(name, own)),
    "</testsuites>",
    "",
  ].join("\n");
}

function suiteOf({ source, interface: room }: VerifiedRequest): string {
  return "check" in source ? `contract of ${room}` : `cassettes/${source.cassette}.json`;
}

function suite(name: string, requests: readonly VerifiedRequest[]): string {
  const { drifted, skipped } = countOutcomes(requests);
  const head = attributes({
    name,
    tests: requests.length,
    failures: drifted,
    errors: 0,
    skipped,
    time: seconds(requests),
  });
  const tests = requests.map((request) => testCase(name, request));
  return [`  <testsuite${head}>`, ...tests, "  </testsuite>"].join("\n");
}

function testCase(suiteName: string, request: VerifiedRequest): string {
  const { source, request: line, outcome, reason = "", drifts } = request;
  const name = "check" in source ? source.check : `${source.number} ${line ?? ""}`;
  const head = attributes({ classname: suiteName, name, time: seconds([request]) });
  if (outcome === "same") return `    <testcase${head}/>`;
  const inside =
    outcome === "skipped"
      ? `      <skipped${attributes({ message: reason })}/>`
      : failure(nameOf(source), drifts);
  return [`    <testcase${head}>`, inside, "    </testcase>"].join("\n");
}

function failure(name: string, drifts: VerifiedRequest["drifts"]): string {
  const [first] = drifts;
  const message = first === undefined ? name : driftLine(first);
  const lines = drifts.map((drift) => escaped(driftLine(drift))).join("\n");
  return `      <failure${attributes({ type: "drift", message })}>${lines}</failure>`;
}

function seconds(requests: readonly VerifiedRequest[]): string {
  return (requests.reduce((total, { durationMs }) => total + durationMs, 0) / 1000).toFixed(3);
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escaped(String(value))}"`)
    .join("");
}

const entities: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&apos;"],
]);

function escaped(text: string): string {
  return oneLine(text).replaceAll(/[&<>"']/g, (character) => entities.get(character) ?? "");
}
