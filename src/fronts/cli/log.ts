import { visibleLines, visibleText } from "../../core/errors/visible-text.ts";
import type { ExchangeRecord, Observer } from "../../core/emulator/observer.ts";
import { type FixtureCounts, showCounts, type Ready } from "./ready.ts";
import { isEmulatorError } from "../../core/errors/emulator-error.ts";
import { type Io, type Output, describeFailure } from "./io.ts";
import { type Style, styleFor } from "../node/terminal-style.ts";
import type { LogFormat } from "./flags.ts";
import { LogLines } from "./log-lines.ts";
import { type RecordEvent, writeRecordEvent } from "./record/record-log.ts";

/** Tables in PostgreSQL were created or found at the start, or the database became unreachable or reachable again. */
export type TablesState = "made" | "found" | "lost" | "back";

/** Fixtures that were reloaded while the server runs. */
export interface Reloaded {
  readonly fixtures: string;
  readonly counts: FixtureCounts;
  /** Whether the previous attempt failed. */
  readonly recovered: boolean;
  /** What no longer exists, such as `table "orders"`. */
  readonly gone: readonly string[];
}

/** The observer that reports to a log. */
export function observerOf({ exchange, warned, failed }: Log): Observer {
  return exchange === undefined ? { warned, failed } : { exchanged: exchange, warned, failed };
}

/** Reports to the user what a running server does. */
export interface Log {
  readonly ready: (ready: Ready) => void;
  /** Left out if the log shows no exchanges: collecting their data takes longer than a short answer. */
  readonly exchange?: (record: ExchangeRecord) => void;
  readonly reloaded: (reloaded: Reloaded) => void;
  /** The fixtures are broken; the previous ones stay. */
  readonly refused: (fixtures: string, error: unknown) => void;
  /** The state of tables in PostgreSQL. */
  readonly tables: (state: TablesState, message: string) => void;
  /** What a recording does. */
  readonly recording: (event: RecordEvent) => void;
  /** A warning, which says what to do. */
  readonly warned: (message: string) => void;
  /** Reports an unexpected failure. The server continues. */
  readonly failed: (error: unknown) => void;
}

function entry(event: string, fields: object): string {
  return JSON.stringify({ event, ...fields });
}

/** One line of JSON per event, for programs to read. */
export function jsonLog(io: Io): Log {
  const lines = new LogLines(io.stdout, (count) => entry("left_out", { lines: count }));
  function line(event: string, fields: object): void {
    lines.write(entry(event, fields));
  }
  return {
    ready: ({ counts, fixtures, ...ready }) => {
      line("ready", { ...ready, fixtures: { from: fixtures, ...counts } });
    },
    // The log shows the real time, since the emulator's clock may be stopped.
    exchange: (record) => {
      line("request", { ...record, at: new Date(io.now()).toISOString() });
    },
    reloaded: ({ counts, fixtures, ...reloaded }) => {
      line("reload", { ...reloaded, fixtures: { from: fixtures, ...counts } });
    },
    refused: (fixtures, error) => line("problems", { fixtures, ...errorFields(error) }),
    tables: (state, message) => line("tables", { state, message }),
    recording: ({ event, ...fields }) => line(event, fields),
    warned: (message) => line("warning", { message }),
    failed: (error) => line("error", errorFields(error)),
  };
}

function errorFields(error: unknown): object {
  if (isEmulatorError(error)) {
    const { code, message, problems } = error;
    return { code, message, problems };
  }
  if (error instanceof Error) return { message: error.message, stack: error.stack };
  return { message: String(error) };
}

/** The log in one of its formats. */
export function createLog(format: LogFormat, io: Io): Log {
  if (format === "silent") return silentLog(io);
  return format === "json" ? jsonLog(io) : prettyLog(io);
}

function nothing(): void {}

/** A log of errors only. */
function silentLog(io: Io): Log {
  const tell = (error: unknown): void => io.stderr.write(`${describeFailure(error)}\n`);
  return {
    ready: nothing,
    reloaded: nothing,
    refused: (_, error) => tell(error),
    tables: (state, message) => {
      if (state === "lost") io.stderr.write(`tables lost: ${message}\n`);
    },
    recording: nothing,
    warned: nothing,
    failed: tell,
  };
}

/** For people: one aligned line per exchange. */
export function prettyLog(io: Io): Log {
  const style = styleFor(io.stdout, io.env);
  const { red } = styleFor(io.stderr, io.env);
  const lines = new LogLines(io.stdout, (count) => timed(style.yellow(leftOut(count))));
  function timed(text: string): string {
    return `${style.dim(timeOfDay(io.now()))}  ${text}`;
  }
  function line(text: string): void {
    lines.write(timed(text));
  }
  return {
    ready: (ready) => io.stdout.write(readyMessage(ready, style)),
    exchange: (record) => line(exchangeLine(record, style) + problemOf(record, io.stdout, style)),
    reloaded: ({ fixtures, counts, recovered, gone }) => {
      const what = recovered ? `fixed, loaded ${fixtures}` : `reloaded ${fixtures}`;
      line(`${style.green(what)}: ${showCounts(counts)}${showGone(gone, style)}`);
    },
    refused: (fixtures, error) => {
      line(`${style.yellow(`could not load ${fixtures}`)}: the previous fixtures stay`);
      io.stderr.write(`${red(describeFailure(error))}\n`);
    },
    tables: (state, message) => {
      const colour = state === "lost" ? style.yellow : style.green;
      line(`${colour(`tables ${state}`)}: ${message}`);
    },
    recording: (event) => writeRecordEvent(event, io),
    warned: (message) => line(`${style.yellow("warning")}: ${visibleLines(message)}`),
    failed: (error) => io.stderr.write(`${red(describeFailure(error))}\n`),
  };
}

function leftOut(count: number): string {
  return `${count} ${count === 1 ? "line was" : "lines were"} left out, since nothing read this log`;
}

/** The most removed parts that are listed. */
const mostGone = 5;

function showGone(gone: readonly string[], { yellow }: Style): string {
  if (gone.length === 0) return "";
  const more = gone.length > mostGone ? ` and ${gone.length - mostGone} more` : "";
  return `, ${yellow("gone")}: ${visibleText(gone.slice(0, mostGone).join(", "))}${more}`;
}

const widths = { method: 7, target: 44, duration: 9 };

function exchangeLine(record: ExchangeRecord, style: Style): string {
  const { method, path, query, status, durationMs, session, answeredBy } = record;
  const target = query === "" ? path : `${path}?${query}`;
  const columns = [
    visibleText(method).padEnd(widths.method),
    visibleText(target).padEnd(widths.target),
    statusColor(status, style)(status === 0 ? "---" : String(status)),
    style.dim(showDuration(durationMs).padStart(widths.duration)),
    ...(session === undefined ? [] : [style.dim(`@${visibleText(session)}`)]),
    ...(answeredBy === undefined ? [] : [style.dim(visibleText(answeredBy))]),
  ];
  return columns.join("  ");
}

const underTime = `\n${" ".repeat("00:00:00  ".length)}`;

/**
 * The problem of an exchange. In a file or a pipe it follows on the same line; on a terminal it is on the next one, cut
 * to the width.
 */
function problemOf({ problem }: ExchangeRecord, output: Output, { yellow }: Style): string {
  if (problem === undefined) return "";
  const text = visibleText(problem);
  if (!output.isTerminal) return `  ${text}`;
  const room = (output.columns ?? 80) - underTime.length;
  return underTime + yellow(text.length > room ? `${text.slice(0, room - 1)}…` : text);
}

function statusColor(status: number, { green, red, yellow }: Style): (text: string) => string {
  // No answer at all, because of a fault.
  if (status === 0) return yellow;
  if (status >= 500) return red;
  return status >= 400 ? yellow : green;
}

function showDuration(ms: number): string {
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  return ms < 10_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

function timeOfDay(time: number): string {
  const date = new Date(time);
  const parts = [date.getHours(), date.getMinutes(), date.getSeconds()];
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
}

const labelWidth = 10;

/** The start banner: where the server is, what it serves, and a line to try for each interface. */
function readyMessage(ready: Ready, style: Style): string {
  const { bold, cyan, dim } = style;
  const { version, url, chatUrl, tablesUrl, fixtures, counts, curl, watching } = ready;
  const facts: readonly (readonly [string, string])[] = [
    ["console", cyan(`${url}/__backlot/`)],
    ["base URL", `${cyan(chatUrl)}  ${dim("(of chat, for SDKs)")}`],
    ["tables", cyan(`${tablesUrl}/{table}`)],
    ["keys", showKeys(ready)],
    ["fixtures", `${fixtures}: ${showCounts(counts)}${watching ? dim(", watched") : ""}`],
  ];
  const examples = [curl.tables, curl.chat].filter((line) => line !== undefined);
  const parts = [
    `${bold("Backlot")} ${version} is running at ${bold(cyan(url))}`,
    facts.map(([label, fact]) => `  ${dim(label.padEnd(labelWidth))}${fact}`).join("\n"),
    ...(examples.length === 0 ? [] : [`Try it:\n${examples.join("\n")}`]),
  ];
  return `${parts.join("\n\n")}\n\n`;
}

function showKeys({ token, apiKey, takesAnyKey }: Ready): string {
  if (token === undefined) return "none needed";
  return `${takesAnyKey ? "any key" : apiKey} for chat, ${token} for tables`;
}
