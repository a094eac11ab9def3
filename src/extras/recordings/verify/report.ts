import { counted } from "../../../core/errors/counted.ts";
import type { Drift } from "./drift.ts";
import { type StepSource, sourceName } from "./step.ts";

/** What came of one request. */
export interface VerifiedRequest {
  readonly source: StepSource;
  readonly interface: "chat" | "rest";
  /** `GET /users?limit=2`. Undefined: there was nothing to ask. */
  readonly request: string | undefined;
  readonly outcome: "same" | "drift" | "skipped";
  /** Why it was skipped. */
  readonly reason?: string;
  readonly drifts: readonly Drift[];
  /** Places that were not compared, and why: `body.id (volatile)`, `body.result.*.email (redacted)`. */
  readonly leftOut: readonly string[];
  /** Milliseconds from the request to the end of the service's answer. */
  readonly durationMs: number;
}

/** What came of all requests, without keys. It is what `--format json` writes. */
export interface VerifyReport {
  /** The version of this shape. */
  readonly version: 1;
  /** The service, by interface. */
  readonly against: { readonly chat?: string; readonly rest?: string };
  readonly counts: {
    /** Requests whose answers were compared. */
    readonly compared: number;
    /** Of these, requests whose answers differ. */
    readonly drifted: number;
    /** Requests that were not sent. */
    readonly skipped: number;
    /** Differences, of which a request can have several. */
    readonly drifts: number;
  };
  readonly requests: readonly VerifiedRequest[];
}

/** Counts what came of requests. */
export function countOutcomes(requests: readonly VerifiedRequest[]): VerifyReport["counts"] {
  const skipped = requests.filter(({ outcome }) => outcome === "skipped").length;
  return {
    compared: requests.length - skipped,
    drifted: requests.filter(({ outcome }) => outcome === "drift").length,
    skipped,
    drifts: requests.reduce((total, { drifts }) => total + drifts.length, 0),
  };
}

/** The report for a reader: a line for each difference, and what was not compared. Ends with a newline. */
export function tableReport({ counts, requests }: VerifyReport): string {
  const drifts = columns(requests.flatMap(driftRows));
  const skipped = columns(requests.filter(({ outcome }) => outcome === "skipped").map(skippedRow));
  const leftOut = columns(requests.flatMap(leftOutRows));
  const { compared, drifted } = counts;
  const summary = [
    `${counted(compared, "request")} compared`,
    drifted === 0
      ? "no drift"
      : `${counted(counts.drifts, "drift")} in ${counted(drifted, "request")}`,
    `${counts.skipped} skipped`,
  ].join(", ");
  return [...drifts, ...skipped, ...leftOut, summary].map((line) => `${line}\n`).join("");
}

/** A difference as one line: place, what the service gave, what the emulator gave. */
export function driftLine({ place, service, emulator }: VerifiedRequest["drifts"][number]): string {
  return `${oneLine(place)}: the service gives ${oneLine(service)}, the emulator ${oneLine(emulator)}`;
}

function driftRows(request: VerifiedRequest): readonly (readonly string[])[] {
  return request.drifts.map(({ place, service, emulator }) => [
    "drift",
    sourceName(request.source),
    request.request ?? "",
    place,
    `service: ${service}`,
    `emulator: ${emulator}`,
  ]);
}

function skippedRow({ source, request = "", reason = "" }: VerifiedRequest): readonly string[] {
  return ["skipped", sourceName(source), request, reason];
}

function leftOutRows({ source, request = "", leftOut }: VerifiedRequest): readonly string[][] {
  return leftOut.map((place) => ["left out", sourceName(source), request, place]);
}

/** A column is as wide as what it holds, and not wider than this. */
const widest = 60;

function columns(rows: readonly (readonly string[])[]): readonly string[] {
  const cells = rows.map((row) => row.map(oneLine));
  const widths = cells.reduce<readonly number[]>(
    (before, row) => row.map((cell, index) => Math.max(before[index] ?? 0, cell.length)),
    [],
  );
  return cells.map((row) =>
    row
      .map((cell, index) => cell.padEnd(Math.min(widths[index] ?? 0, widest)))
      .join("  ")
      .trimEnd(),
  );
}

/** Longer texts are cut: a report is to be read. */
const longest = 300;

/** What a terminal or an XML reader would act upon, halves of characters included. */
const unprintable = /[\p{Cc}\p{Surrogate}\u2028\u2029\uFFFE\uFFFF]/gu;

/** A text of the service on one line, with nothing in it that does anything. */
export function oneLine(text: string): string {
  const short = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return short.replaceAll(unprintable, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

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
      : failure(sourceName(source), drifts);
  return [`    <testcase${head}>`, inside, "    </testcase>"].join("\n");
}

function failure(name: string, drifts: VerifiedRequest["drifts"]): string {
  const [first] = drifts;
  const message = first === undefined ? name : driftLine(first);
  const lines = drifts.map((drift) => escapedXml(driftLine(drift))).join("\n");
  return `      <failure${attributes({ type: "drift", message })}>${lines}</failure>`;
}

function seconds(requests: readonly VerifiedRequest[]): string {
  return (requests.reduce((total, { durationMs }) => total + durationMs, 0) / 1000).toFixed(3);
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapedXml(String(value))}"`)
    .join("");
}

const entities: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&apos;"],
]);

function escapedXml(text: string): string {
  return oneLine(text).replaceAll(/[&<>"']/g, (character) => entities.get(character) ?? "");
}
