import { visibleLines } from "../../../core/errors/visible-text.ts";
import type { InterfaceName } from "../../../core/interface.ts";
import { counted } from "../../../core/errors/show.ts";
import type { NotRecorded } from "../../node/upstream/recording-upstream.ts";
import { type Io } from "../io.ts";
import { styleFor } from "../../node/terminal-style.ts";

/** The services that are recorded, and the target. */
interface RecordingBegun {
  /** Real services by interface. */
  readonly upstreams: Readonly<Partial<Record<InterfaceName, string>>>;
  /** The folder, as the user wrote it. */
  readonly out: string;
}

/** An event of a recording: a line of `--log json`. */
export type RecordEvent =
  /** The recorder is ready. */
  | (RecordingBegun & {
      readonly event: "ready";
      readonly version: string;
      readonly url: string;
      readonly chatUrl: string;
      readonly tablesUrl: string;
    })
  /** Requests that the fixtures do not answer are recorded. */
  | (RecordingBegun & { readonly event: "recording" })
  | (NotRecorded & { readonly event: "not-recorded" })
  | {
      readonly event: "recorded";
      readonly out: string;
      readonly exchanges: number;
      /** The written files, below `out`. */
      readonly files: readonly string[];
      /** Unfinished exchanges, which are missing. */
      readonly unfinished: number;
      /** What scripts could not express. */
      readonly remarks: readonly string[];
      /** How many values look like secrets, by kind, and whether they were replaced. */
      readonly secrets: Readonly<Record<string, number>>;
      readonly redacted: boolean;
    };

/** Reports the events of a recording to people. */
export function writeRecordEvent(happened: RecordEvent, { stdout, stderr, env }: Io): void {
  const { bold, cyan, dim } = styleFor(stdout, env);
  const { green, yellow } = styleFor(stderr, env);
  const warn = (text: string): void => stderr.write(`${yellow(visibleLines(text))}\n`);
  switch (happened.event) {
    case "ready": {
      const { version, url, chatUrl, tablesUrl, upstreams, out } = happened;
      const fact = (label: string, text: string): string => `  ${dim(label.padEnd(10))}${text}\n`;
      stdout.write(
        [
          `${bold("Backlot")} ${version} is recording at ${bold(cyan(url))}\n\n`,
          upstreams.chat === undefined ? "" : fact("chat", `${cyan(chatUrl)} is ${upstreams.chat}`),
          upstreams.tables === undefined
            ? ""
            : fact("tables", `${cyan(tablesUrl)} is ${upstreams.tables}`),
          fact("writes to", out),
          "\nSend requests there with the service's own keys. Press Ctrl-C to end.\n\n",
        ].join(""),
      );
      return;
    }
    case "recording": {
      const services = Object.values(happened.upstreams).join(" and ");
      const told = `Requests without an answer here go to ${services} and are recorded into ${happened.out}.`;
      stdout.write(`${dim(told)}\n\n`);
      return;
    }
    case "not-recorded":
      warn(`not recorded: ${happened.method} ${happened.path}: ${happened.reason}`);
      return;
    case "recorded": {
      const { out, exchanges, files, unfinished, remarks, secrets, redacted } = happened;
      for (const remark of remarks) warn(`not converted: ${remark}`);
      if (unfinished > 0) {
        warn(`not recorded: ${counted(unfinished, "exchange")} still under way`);
      }
      const kinds = Object.entries(secrets).map(([kind, count]) => `${count} × ${kind}`);
      if (kinds.length > 0) {
        const done = redacted ? "replaced what looks like secrets" : "kept what looks like secrets";
        warn(`${done}: ${kinds.join(", ")}`);
      }
      const where = files.length === 0 ? "" : ` into ${counted(files.length, "file")} in ${out}`;
      stderr.write(`${green("recorded")} ${counted(exchanges, "exchange")}${where}\n`);
    }
  }
}
