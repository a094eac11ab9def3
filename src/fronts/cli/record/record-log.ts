import { counted } from "../../../core/errors/counted.ts";
import type { NotRecorded } from "../../node/upstream/recording-upstream.ts";
import { describeFailure } from "../failure.ts";
import type { Io } from "../io.ts";
import type { LogFormat } from "../settings.ts";
import { styleFor } from "../terminal.ts";

/** What is recorded, and where it goes. */
interface RecordingBegun {
  /** Real services by the interface that each answers. */
  readonly upstreams: Readonly<Partial<Record<"chat" | "rest", string>>>;
  /** As the user named it. */
  readonly out: string;
}

/** A recorder that is ready to be called. */
interface RecorderReady extends RecordingBegun {
  readonly version: string;
  readonly url: string;
  readonly chatUrl: string;
  readonly tablesUrl: string;
}

/** What was recorded in all. */
export interface RecordingDone {
  readonly out: string;
  readonly exchanges: number;
  /** What was written, below `out`. */
  readonly files: readonly string[];
  /** Exchanges that were under way, and are not in it. */
  readonly unfinished: number;
  /** What scripts could not take over. */
  readonly remarks: readonly string[];
}

/** Tells what becomes of a recording. */
export interface RecordLog {
  readonly ready: (ready: RecorderReady) => void;
  readonly begun: (begun: RecordingBegun) => void;
  readonly notRecorded: (exchange: NotRecorded) => void;
  /** What is recorded, and will not be replayed as it was. */
  readonly warned: (message: string) => void;
  /** A file that cannot be written, or a bug. */
  readonly failed: (error: unknown) => void;
  readonly done: (done: RecordingDone) => void;
}

/** The log of a recording in one of the formats of `--log`. */
export function recordLog(format: LogFormat, io: Io): RecordLog {
  if (format === "json") return jsonRecordLog(io);
  return format === "silent" ? silentRecordLog(io) : prettyRecordLog(io);
}

function nothing(): void {}

function silentRecordLog({ stderr }: Io): RecordLog {
  const failed = (error: unknown): void => stderr.write(`${describeFailure(error)}\n`);
  return {
    ready: nothing,
    begun: nothing,
    notRecorded: nothing,
    warned: nothing,
    failed,
    done: nothing,
  };
}

function jsonRecordLog({ stdout }: Io): RecordLog {
  const line = (event: string, fields: object): void =>
    stdout.write(`${JSON.stringify({ event, ...fields })}\n`);
  return {
    ready: (ready) => line("ready", ready),
    begun: (begun) => line("recording", begun),
    notRecorded: (exchange) => line("not-recorded", exchange),
    warned: (message) => line("warning", { message }),
    failed: (error) => line("error", { message: describeFailure(error) }),
    done: (done) => line("recorded", done),
  };
}

function prettyRecordLog(io: Io): RecordLog {
  const { stdout, stderr, env } = io;
  const { bold, cyan, dim, green } = styleFor(stdout, env);
  const { red, yellow } = styleFor(stderr, env);
  const fact = (label: string, text: string): string => `  ${dim(label.padEnd(10))}${text}\n`;
  return {
    ready: ({ version, url, chatUrl, tablesUrl, upstreams, out }) => {
      const { chat, rest } = upstreams;
      stdout.write(
        [
          `${bold("Backlot")} ${version} records at ${bold(cyan(url))}\n\n`,
          chat === undefined ? "" : fact("chat", `${cyan(chatUrl)} is ${chat}`),
          rest === undefined ? "" : fact("tables", `${cyan(tablesUrl)} is ${rest}`),
          fact("writes to", out),
          "\nSend requests there with the service's own keys. Ctrl-C ends it.\n\n",
        ].join(""),
      );
    },
    begun: ({ upstreams, out }) => {
      const services = Object.values(upstreams).join(" and ");
      stdout.write(`${dim(`What nothing here answers is asked of ${services}, into ${out}.`)}\n\n`);
    },
    notRecorded: ({ method, path, reason }) => {
      stderr.write(
        `${yellow(`not recorded: ${method} ${printable(path)}: ${printable(reason)}`)}\n`,
      );
    },
    warned: (message) => stderr.write(`${yellow(printable(message))}\n`),
    failed: (error) => stderr.write(`${red(describeFailure(error))}\n`),
    done: ({ out, exchanges, files, unfinished, remarks }) => {
      for (const remark of remarks)
        stderr.write(`${yellow(`not taken over: ${printable(remark)}`)}\n`);
      if (unfinished > 0)
        stderr.write(
          `${yellow(`not recorded: ${counted(unfinished, "exchange")} that had no end yet`)}\n`,
        );
      const where = files.length === 0 ? "" : ` into ${counted(files.length, "file")} in ${out}`;
      stderr.write(`${green("recorded")} ${counted(exchanges, "exchange")}${where}\n`);
    },
  };
}

/** What came from outside must not move the cursor or colour the terminal. */
function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, "\uFFFD");
}
