import type { ExchangeRecord } from "../../../core/emulator/exchange.ts";
import { describeFailure } from "../failure.ts";
import { showCounts } from "../fixture-counts.ts";
import { type Io, type Output, printable, type Style, styleFor } from "../io.ts";
import type { Ready } from "../ready.ts";
import type { Log } from "./log.ts";

/** For people: one aligned line per exchange. */
export function prettyLog(io: Io): Log {
  const style = styleFor(io.stdout, io.env);
  const { red } = styleFor(io.stderr, io.env);
  function line(text: string): void {
    io.stdout.write(`${style.dim(timeOfDay(io.now()))}  ${text}\n`);
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
    warned: (message) => line(`${style.yellow("warning")}: ${printable(message)}`),
    failed: (error) => io.stderr.write(`${red(describeFailure(error))}\n`),
  };
}

/** The most removed parts that are listed. */
const mostGone = 5;

function showGone(gone: readonly string[], { yellow }: Style): string {
  if (gone.length === 0) return "";
  const more = gone.length > mostGone ? ` and ${gone.length - mostGone} more` : "";
  return `, ${yellow("gone")}: ${printable(gone.slice(0, mostGone).join(", "))}${more}`;
}

const widths = { method: 7, target: 44, duration: 9 };

function exchangeLine(record: ExchangeRecord, style: Style): string {
  const { method, path, query, status, durationMs, session, answeredBy } = record;
  const target = query === "" ? path : `${path}?${query}`;
  const columns = [
    printable(method).padEnd(widths.method),
    printable(target).padEnd(widths.target),
    statusColor(status, style)(status === 0 ? "---" : String(status)),
    style.dim(showDuration(durationMs).padStart(widths.duration)),
    ...(session === undefined ? [] : [style.dim(`@${printable(session)}`)]),
    ...(answeredBy === undefined ? [] : [style.dim(printable(answeredBy))]),
  ];
  return columns.join("  ");
}

const underTime = `\n${" ".repeat("00:00:00  ".length)}`;

/** Behind the rest for a file or a pipe, where an exchange is one line. On a terminal beneath it, cut to the width. */
function problemOf({ problem }: ExchangeRecord, output: Output, { yellow }: Style): string {
  if (problem === undefined) return "";
  const text = printable(problem);
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
export function readyMessage(ready: Ready, style: Style): string {
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
