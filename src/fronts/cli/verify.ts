import { resolve } from "node:path";
import { storageFor } from "../../core/emulator/settings.ts";
import { EmulatorError } from "../../core/errors/emulator-error.ts";
import { junitReport } from "../../extras/recordings/verify/report-junit.ts";
import { tableReport } from "../../extras/recordings/verify/report.ts";
import type { VerifyReport } from "../../extras/recordings/verify/report.ts";
import { verify } from "../../extras/recordings/verify/verify.ts";
import { nodeExtras } from "../node/extras.ts";
import { fixturePlace } from "../node/fixture-place.ts";
import { loadFixtures } from "../node/load-fixtures.ts";
import { nodeTimers } from "../node/timers.ts";
import { emulatorSettings } from "./settings.ts";
import { exitCodes } from "./failure.ts";
import type { Io } from "./io.ts";
import { writeWarnings } from "./load-fixtures.ts";
import { styleFor } from "./terminal.ts";
import { keyAdvice } from "./verify-keys.ts";
import type { EmulatorFlags, VerifyFlags } from "./verify-options.ts";
import { checkWritable, refuseFixtures, writeInPlace } from "./write-file.ts";

/** What `verify` is told. */
export interface VerifyOptions extends VerifyFlags {
  readonly fixtures?: string;
}

const reports = {
  table: tableReport,
  json: (report: VerifyReport) => `${JSON.stringify(report, undefined, 2)}\n`,
  junit: junitReport,
} as const;

/**
 * Compares a real service with the fixtures, and reports: 0 where nothing differs, 1 where something does. Rejects with
 * an `EmulatorError` where nothing could be compared.
 */
export async function verifyService(options: VerifyOptions, io: Io): Promise<number> {
  const { out, format = "table" } = options;
  const place = fixturePlace(options.fixtures, io.cwd);
  if (out !== undefined) {
    refuseFixtures(out, place, io.cwd);
    await checkWritable({ path: resolve(io.cwd, out), shown: out });
  }
  const report = await compare(options, io);
  const text = reports[format](report);
  if (out === undefined) io.stdout.write(text);
  else {
    io.stdout.write(tableReport(report));
    await writeInPlace({ path: resolve(io.cwd, out), shown: out }, pieces(text));
    const { green } = styleFor(io.stderr, io.env);
    io.stderr.write(`${green("wrote")} the report to ${out}\n`);
  }
  await io.stdout.flushed?.();
  for (const line of keyAdvice(report, options)) io.stderr.write(`${line}\n`);
  if (report.counts.compared === 0) throw nothingCompared();
  return report.counts.drifted === 0 ? exitCodes.done : exitCodes.problem;
}

async function compare(options: VerifyOptions, io: Io): Promise<VerifyReport> {
  const { path } = fixturePlace(options.fixtures, io.cwd);
  const settings = emulatorSettings(profileFlags(options));
  const fixtures = await loadFixtures(path, {
    cwd: io.cwd,
    skipUnsupported: options.skipUnsupported ?? false,
    storageFor: storageFor(settings, nodeExtras),
    otherTables: [],
  });
  writeWarnings(fixtures.warnings, io);
  const { against, restAgainst, apiKey, token, writes, rate, only, timeout: timeoutMs } = options;
  const service = { against, restAgainst, apiKey, token };
  return verify(
    { fixtures, ...service, writes, rate, only, timeoutMs, settings },
    {
      fetch: (request) => fetch(request),
      timers: nodeTimers,
      random: Math.random,
      extras: nodeExtras,
    },
  );
}

/** The service's own keys are none of the emulator's. */
function profileFlags({ profile, restProfile, chatProfile }: VerifyOptions): EmulatorFlags {
  return {
    ...(profile === undefined ? {} : { profile }),
    ...(restProfile === undefined ? {} : { restProfile }),
    ...(chatProfile === undefined ? {} : { chatProfile }),
  };
}

async function* pieces(text: string): AsyncIterable<string> {
  yield text;
}

/** What was not looked at has not passed. */
function nothingCompared(): EmulatorError {
  return new EmulatorError(
    "ERR_OPTION_INVALID",
    "Cannot verify: no request was compared. The report tells why each was skipped.",
  );
}
