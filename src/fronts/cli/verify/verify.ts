import { fetchDirectly } from "../../node/fetch-directly.ts";
import { loadReports, loadVerify, type VerifyReport } from "../extras.ts";
import { invalidOption } from "../../../core/errors/emulator-error.ts";
import { nodeExtras } from "../../node/extras.ts";
import { fixturePlace } from "../../node/fixture-place.ts";
import { nodeTimers } from "../../node/timers.ts";
import {
  type CommandDefinition,
  type CommandOption,
  UsageError,
  decimalForm,
  readChoice,
  readFileName,
  readKey,
  readNumber,
  readServiceUrl,
  wholeForm,
} from "../command.ts";
import { exitCodes, type Io } from "../io.ts";
import { styleFor } from "../../node/terminal-style.ts";
import { fixturesHelp } from "../help-text.ts";
import { loadToServe } from "../load-fixtures.ts";
import { type StartFlags, emulatorSettings, pickOptions } from "../flags.ts";
import { checkWritable, refuseFixtures, writeInPlace } from "../write-file.ts";
import { resolve } from "node:path";

const formats = ["table", "json", "junit"] as const;
const kinds = ["cassettes", "contract"] as const;

/** The options of `start` that decide how fixtures are read, and how their emulator behaves. */
const emulatorKeys = ["profile", "tablesProfile", "chatProfile", "skipUnsupported"] as const;

/** The given options of `verify`. */
interface VerifyOptions extends Pick<StartFlags, (typeof emulatorKeys)[number]> {
  readonly fixtures?: string;
  readonly against?: string;
  readonly tablesAgainst?: string;
  readonly apiKey?: string;
  readonly token?: string;
  readonly writes?: boolean;
  readonly rate?: number;
  readonly timeout?: number;
  readonly slowerThan?: number;
  readonly only?: (typeof kinds)[number];
  readonly format?: (typeof formats)[number];
  readonly out?: string;
}

/** The options of `verify`, in the order of the help. */
const verifyOptions: readonly CommandOption[] = [
  {
    flags: "--against <url>",
    secret: true,
    description: "base URL of the real chat service, such as https://api.example.com/v1",
    read: readServiceUrl,
  },
  {
    flags: "--tables-against <url>",
    secret: true,
    description: "base URL of its tables, such as https://db.example.com/rest",
    read: readServiceUrl,
  },
  {
    flags: "--api-key <k>",
    secret: true,
    variable: "OPENAI_API_KEY",
    description: "the service's key for chat (default: OPENAI_API_KEY)",
    read: readKey,
  },
  {
    flags: "--token <t>",
    secret: true,
    variable: "AUTHORIZATION_TOKEN",
    description: "the service's token for tables (default: AUTHORIZATION_TOKEN)",
    read: readKey,
  },
  { flags: "--writes", description: "also send requests that change something" },
  {
    flags: "--rate <n>",
    description: "requests per second, at most (default: 5)",
    read: readNumber(
      decimalForm,
      [0.001, 1000],
      "a number above 0, at most 1000, such as 5 or 0.5",
    ),
  },
  {
    flags: "--timeout <ms>",
    description: "milliseconds to wait for an answer (default: 60000)",
    // A timer can wait no longer than the upper limit.
    read: readNumber(wholeForm, [1, 2_147_483_647], "milliseconds, 1 or more, such as 60000"),
  },
  {
    flags: "--slower-than <factor>",
    description: "also report answers that take this many times as long as recorded, such as 3",
    read: readNumber(decimalForm, [1, 1_000_000], "a number of 1 or more, such as 3 or 1.5"),
  },
  {
    flags: "--only <what>",
    description: `${kinds.join(" or ")} (default: cassettes if there are any, else the contract)`,
    read: readChoice(kinds),
  },
  {
    flags: "--format <format>",
    description: `format of the report (default: table): ${formats.join(", ")}`,
    read: readChoice(formats),
  },
  {
    flags: "-o, --out <file>",
    description: "write the report to this file, and a table to stdout",
    read: readFileName,
  },
];

/**
 * Compares a real service with the fixtures, and reports: 0 without differences, else 1. Rejects with an
 * `EmulatorError` if nothing could be compared.
 */
async function verifyService(options: VerifyOptions, io: Io): Promise<number> {
  const { out, format = "table" } = options;
  const place = fixturePlace(options.fixtures, io.cwd);
  if (out !== undefined) {
    refuseFixtures(out, place, io.cwd);
    await checkWritable({ path: resolve(io.cwd, out), shown: out });
  }
  const report = await compare(options, io);
  const { junitReport, tableReport } = await loadReports();
  const reports = {
    table: tableReport,
    json: (given: VerifyReport) => `${JSON.stringify(given, undefined, 2)}\n`,
    junit: junitReport,
  } as const;
  const text = reports[format](report);
  if (out === undefined) {
    const { write, writeData = write } = io.stdout;
    (format === "table" ? write : writeData)(text);
  } else {
    io.stdout.write(tableReport(report));
    await writeInPlace({ path: resolve(io.cwd, out), shown: out }, [text]);
    const { green } = styleFor(io.stderr, io.env);
    io.stderr.write(`${green("wrote")} the report to ${out}\n`);
  }
  await io.stdout.flushed?.();
  // Nothing has been verified if no request was compared.
  if (report.counts.compared === 0) {
    throw invalidOption(
      "Cannot verify: no request was compared. The report says why each was skipped.",
    );
  }
  return report.counts.drifted === 0 ? exitCodes.done : exitCodes.problem;
}

async function compare(options: VerifyOptions, io: Io): Promise<VerifyReport> {
  // The service's keys are not the emulator's.
  const { apiKey, token, fixtures: named, ...others } = options;
  const fixtures = await loadToServe(fixturePlace(named, io.cwd), { options: others, io });
  const settings = emulatorSettings(others);
  const { against, tablesAgainst, writes, rate, only, timeout: timeoutMs, slowerThan } = others;
  const asked = {
    against,
    tablesAgainst,
    apiKey,
    token,
    writes,
    rate,
    only,
    timeoutMs,
    slowerThan,
  };
  const { verify } = await loadVerify();
  return verify(
    { ...asked, fixtures, settings },
    {
      fetch: (request) => fetchDirectly(request),
      timers: nodeTimers,
      random: Math.random,
      extras: nodeExtras,
    },
  );
}

export const verifyCommand: CommandDefinition = {
  arguments: [["[fixtures]", fixturesHelp]],
  options: [...verifyOptions, ...pickOptions(emulatorKeys)],
  help: `
Each request goes to the service and to an emulator of the fixtures. verify compares status, important headers,
keys and types of JSON, and kinds and order of streamed events. It compares values only where the config says
so: "recording": {"stable": ["body.model"]}. Slowness is no drift without --slower-than. Requests go one at a time:
GET, HEAD and completions, and with --writes all others. No report shows the keys.

Examples:
  backlot verify --against https://api.example.com/v1          the cassettes, or the contract of chat
  backlot verify shop --tables-against https://db.example.com/rest --only contract
  backlot verify --against http://127.0.0.1:8080/v1 --format junit --out verify.xml

Exit codes: 0 no drift, 1 drift or nothing compared, 2 wrong usage.
`,
  check: ({ against, tablesAgainst }: VerifyOptions) => {
    if (against !== undefined || tablesAgainst !== undefined) return;
    throw new UsageError("the service is missing. Name it with --against or --tables-against");
  },
  run: verifyService,
};
