import type { InterfaceName } from "../../../core/interface.ts";
import { counted } from "../../../core/errors/show.ts";
import { visibleText } from "../../../core/errors/visible-text.ts";
import { groupBy } from "../group-by.ts";
import type { Drift } from "./compare.ts";
import { type StepSource, sourceName } from "./contract.ts";

/** The result of one request. */
export interface VerifiedRequest {
  readonly source: StepSource;
  readonly interface: InterfaceName;
  /** The request for readers: `GET /users?limit=2`. Undefined: there was none to send. */
  readonly request: string | undefined;
  readonly outcome: "same" | "drift" | "skipped";
  /** Why the request was skipped. */
  readonly reason?: string;
  readonly drifts: readonly Drift[];
  /** Places that were not compared, and why: `body.id (volatile)`, `body.result.*.email (redacted)`. */
  readonly leftOut: readonly string[];
  /** Milliseconds from the request to the end of the service's answer. */
  readonly durationMs: number;
}

/** The results of all requests, without keys. `--format json` writes this. */
export interface VerifyReport {
  /** The version of this format. */
  readonly version: 1;
  /** The service, by interface. */
  readonly against: Readonly<Partial<Record<InterfaceName, string>>>;
  readonly counts: {
    /** Requests whose answers were compared. */
    readonly compared: number;
    /** Of these, requests whose answers differ. */
    readonly drifted: number;
    /** Requests that were not sent. */
    readonly skipped: number;
    /** The number of differences. A request can have several. */
    readonly drifts: number;
  };
  readonly requests: readonly VerifiedRequest[];
}

/** Counts the results of requests. */
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
  const drifts = requests.flatMap(({ source, request = "", drifts: own }) =>
    own.map(({ place, service, emulator }) => {
      const sides = [`service: ${service}`, `emulator: ${emulator}`];
      return ["drift", sourceName(source), request, place, ...sides];
    }),
  );
  const skipped = requests.flatMap(({ source, request = "", outcome, reason = "" }) =>
    outcome === "skipped" ? [["skipped", sourceName(source), request, reason]] : [],
  );
  const leftOut = requests.flatMap(({ source, request = "", leftOut: places }) =>
    places.map((place) => ["left out", sourceName(source), request, place]),
  );
  const { compared, drifted } = counts;
  const summary = [
    `${counted(compared, "request")} compared`,
    drifted === 0
      ? "no drift"
      : `${counted(counts.drifts, "drift")} in ${counted(drifted, "request")}`,
    `${counts.skipped} skipped`,
  ].join(", ");
  const lines = [...[drifts, skipped, leftOut].flatMap(inColumns), summary];
  return lines.map((line) => `${line}\n`).join("");
}

/** A difference as one line: place, what the service gave, what the emulator gave. */
export function driftLine({ place, service, emulator }: Drift): string {
  return `${oneLine(place)}: the service gives ${oneLine(service)}, the emulator ${oneLine(emulator)}`;
}

/** The widest column, in characters. Columns are as wide as their contents up to this width. */
const widest = 60;

function inColumns(rows: readonly (readonly string[])[]): readonly string[] {
  const cells = rows.map((row) => row.map(oneLine));
  const widths = cells[0]?.map((_, index) =>
    Math.min(widest, Math.max(...cells.map((row) => row[index]?.length ?? 0))),
  );
  return cells.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths?.[index] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

/** Longer texts are cut, so that the report stays readable. */
const longest = 300;

/** Characters that an XML reader refuses besides control characters: lone surrogates and noncharacters. */
const unreadable = /[\p{Surrogate}\uFFFE\uFFFF]/gu;

/** A text of the service on one line, without control characters. */
function oneLine(text: string): string {
  const short = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return visibleText(short).replaceAll(
    unreadable,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** The report as JUnit's XML: a suite for each cassette or interface, a test for each request. Ends with a newline. */
export function junitReport({ requests }: VerifyReport): string {
  const suites = groupBy(requests, ({ source, interface: room }) =>
    "check" in source ? `contract of ${room}` : `cassettes/${source.cassette}.json`,
  );
  const inside = [...suites].map(([name, own]) => {
    const cases = own.map((request) => testCase(name, request));
    return element("testsuite", { name, ...totals(own) }, cases);
  });
  const root = element("testsuites", { name: "backlot verify", ...totals(requests) }, inside);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}\n`;
}

function totals(requests: readonly VerifiedRequest[]): Readonly<Record<string, string | number>> {
  const { drifted: failures, skipped } = countOutcomes(requests);
  return { tests: requests.length, failures, errors: 0, skipped, time: seconds(requests) };
}

function seconds(requests: readonly VerifiedRequest[]): string {
  return (requests.reduce((total, { durationMs }) => total + durationMs, 0) / 1000).toFixed(3);
}

function testCase(classname: string, request: VerifiedRequest): string {
  const { source, request: line = "", outcome, reason = "", drifts } = request;
  const name = "check" in source ? source.check : `${source.number} ${line}`;
  const lines = drifts.map(driftLine);
  const inside = {
    same: [],
    skipped: [element("skipped", { message: reason })],
    drift: [element("failure", { type: "drift", message: lines[0] ?? "" }, lines.map(escapedXml))],
  };
  return element("testcase", { classname, name, time: seconds([request]) }, inside[outcome]);
}

/** An XML element on lines of its own. The lines of its text are not indented. */
function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  inside: readonly string[] = [],
): string {
  const head = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escapedXml(String(value))}"`,
  );
  const start = `<${name}${head.join("")}`;
  if (inside.length === 0) return `${start}/>`;
  const text = inside.join("\n");
  const content = text.startsWith("<") ? `\n${text}\n`.replaceAll(/\n(?=<| )/g, "\n  ") : text;
  return `${start}>${content}</${name}>`;
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

function escapedXml(text: string): string {
  return oneLine(text).replaceAll(/[&<>"']/g, (character) => entities[character] ?? "");
}
