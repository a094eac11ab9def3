import { counted } from "../../../core/errors/counted.ts";
import { oneLine } from "./one-line.ts";
import type { VerifiedRequest, VerifyReport } from "./report.ts";
import { nameOf } from "./step.ts";

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
    nameOf(request.source),
    request.request ?? "",
    place,
    `service: ${service}`,
    `emulator: ${emulator}`,
  ]);
}

function skippedRow({ source, request = "", reason = "" }: VerifiedRequest): readonly string[] {
  return ["skipped", nameOf(source), request, reason];
}

function leftOutRows({ source, request = "", leftOut }: VerifiedRequest): readonly string[][] {
  return leftOut.map((place) => ["left out", nameOf(source), request, place]);
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
