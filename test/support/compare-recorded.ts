import { isDeepStrictEqual } from "node:util";
import type { RecordedAnswer, RecordedStep } from "./recordings.ts";

/** An answer of ours. */
export interface GivenAnswer {
  readonly status: number;
  readonly contentType: string | null;
  readonly text: string;
}

/** What is wrong with an answer to a recorded step; undefined when the service could have given it. */
export function difference(step: RecordedStep, given: GivenAnswer): string | undefined {
  const differences = [step, ...(step.alt ?? [])].map((recorded) => compare(step, recorded, given));
  return differences.includes(undefined) ? undefined : differences[0];
}

function compare(
  step: RecordedStep,
  recorded: RecordedAnswer,
  given: GivenAnswer,
): string | undefined {
  const open = new Set(step.nonNormative);
  if (!open.has("status") && given.status !== recorded.status) {
    return `status ${given.status} instead of ${recorded.status}`;
  }
  const type = recorded.responseHeaders?.["content-type"] ?? "";
  if (!open.has("content-type") && essence(given.contentType) !== essence(type)) {
    return `content type ${given.contentType} instead of ${type}`;
  }
  if (open.has("body") || step.method === "HEAD") return undefined;
  const body = readBody(recorded, given);
  return sameBody(step, recorded.response, body) ? undefined : `body ${given.text.slice(0, 500)}`;
}

function essence(contentType: string | null): string {
  return contentType?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

function readBody({ response }: RecordedAnswer, { text }: GivenAnswer): unknown {
  if (typeof response === "string") return text;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function sameBody(step: RecordedStep, recorded: unknown, given: unknown): boolean {
  const wanted = rowsOf(recorded);
  const got = rowsOf(given);
  const isOpen = step.ties === true || step.planOrder === true;
  if (!isOpen || wanted === undefined || got === undefined)
    return isDeepStrictEqual(recorded, given);
  return sameRows(step, wanted, got);
}

function rowsOf(body: unknown): readonly unknown[] | undefined {
  const isEnvelope = typeof body === "object" && body !== null && "result" in body;
  return isEnvelope && Array.isArray(body.result) ? body.result : undefined;
}

/** Rows that nothing tells apart may change places, and at the edges of a window others may stand for them. */
function sameRows(
  step: RecordedStep,
  wanted: readonly unknown[],
  got: readonly unknown[],
): boolean {
  if (wanted.length !== got.length) return false;
  const keyOf = (row: unknown): unknown =>
    step.ties === true ? Reflect.get(Object(row), step.sort?.column ?? "") : undefined;
  for (let start = 0; start < wanted.length;) {
    const key = keyOf(wanted[start]);
    let end = start + 1;
    while (end < wanted.length && isDeepStrictEqual(keyOf(wanted[end]), key)) end++;
    const isEdge = start === 0 || end === wanted.length;
    const pool = isEdge
      ? (step.tiePool ?? []).filter((row) => isDeepStrictEqual(keyOf(row), key))
      : [];
    const rows = got.slice(start, end);
    if (!areAmong(rows, wanted.slice(start, end)) && !areAmong(rows, pool)) return false;
    start = end;
  }
  return true;
}

/** Whether each row is another one of a pool. */
function areAmong(rows: readonly unknown[], pool: readonly unknown[]): boolean {
  const left = [...pool];
  return rows.every((row) => {
    const place = left.findIndex((other) => isDeepStrictEqual(row, other));
    if (place >= 0) left.splice(place, 1);
    return place >= 0;
  });
}
