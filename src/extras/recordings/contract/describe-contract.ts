import { fixtureSetFrom } from "../../../core/emulator/emulator.ts";
import { runtimeTimers } from "../../../core/emulator/environment.ts";
import type { EmulatorSettings } from "../../../core/settings/settings.ts";
import type { Extras } from "../../../core/emulator/extras.ts";
import {
  type EmulatorError,
  invalidOption,
  refuseUnknown,
} from "../../../core/errors/emulator-error.ts";
import { visibleText } from "../../../core/errors/visible-text.ts";
import type { Drift } from "../verify/compare.ts";
import { driftLine } from "../verify/report.ts";
import { type VerifyStep, sourceName, requestLine } from "../verify/contract.ts";
import { type Verification, type VerifySetup, prepareVerification } from "../verify/verify.ts";
import { describe, expect, test } from "vitest";

/** What `describeContract` takes: at least one of `against` and `tablesAgainst`. Keys are only sent in headers. */
export interface ContractOptions extends Omit<VerifySetup, "fixtures" | "settings"> {
  /** A fixture document, or the result of `loadFixtures`. Default: no tables and no models. */
  readonly fixtures?: unknown;
  /** The profiles whose behaviour is expected. Default: those of the fixtures. */
  readonly profiles?: EmulatorSettings["profiles"];
}

const names: readonly (keyof ContractOptions)[] = [
  "against",
  "tablesAgainst",
  "apiKey",
  "token",
  "fixtures",
  "writes",
  "only",
  "rate",
  "timeoutMs",
  "slowerThan",
  "profiles",
];

/**
 * How many times as long as one answer a test may take: the test waits for its turn, and may have to retry after a 429.
 */
const timeoutFactor = 4;
const defaultTimeoutMs = 60_000;

/** The values that a contract needs besides its options. */
interface ContractParts {
  /** The extras of the emulator. */
  readonly extras: Extras;
  /** Asks the service. */
  readonly fetch: (request: Request) => Promise<Response>;
}

/** Describes the contract of a service with an emulator. */
export function describeContractWith(options: ContractOptions, parts: ContractParts): void {
  const { timeoutMs = defaultTimeoutMs } = options;
  refuseWrongOptions(options);
  const services = [options.against, options.tablesAgainst].filter((url) => url !== undefined);
  // One request at a time and in order, since later requests depend on earlier writes.
  describe(`the contract with ${services.join(" and ")}`, { concurrent: false }, async () => {
    const { steps, run } = await prepare(options, parts);
    for (const step of steps) {
      test(
        `${visibleText(sourceName(step.source))}${visibleText(lineOf(step))}`,
        { timeout: timeoutMs * timeoutFactor },
        async ({ skip }) => {
          const { outcome, reason, drifts: found } = await run(step);
          const drifts = found.map(visibleDrift);
          // `skip` is called without a condition, which it only accepts from vitest 3.1 on.
          if (outcome === "skipped") skip(reason);
          const lines = drifts.map(driftLine).join("\n");
          expect(drifts, lines).toEqual([]);
        },
      );
    }
  });
}

/** A drift that is safe for a test runner to show, since its texts come from a service. */
function visibleDrift({ place, service, emulator }: Drift): Drift {
  return {
    place: visibleText(place),
    service: visibleText(service),
    emulator: visibleText(emulator),
  };
}

function lineOf({ asked }: VerifyStep): string {
  return asked === undefined ? "" : `: ${requestLine(asked)}`;
}

async function prepare(
  options: ContractOptions,
  { extras, fetch }: ContractParts,
): Promise<Verification> {
  const { fixtures, profiles, against, tablesAgainst, ...same } = options;
  const settings = profiles === undefined ? {} : { profiles };
  return prepareVerification(
    {
      ...same,
      against: addressOf("against", against),
      tablesAgainst: addressOf("tablesAgainst", tablesAgainst),
      settings,
      fixtures: await fixtureSetFrom(fixtures, settings, { extras }),
    },
    { fetch, timers: runtimeTimers, random: Math.random, extras },
  );
}

function addressOf(name: string, address: string | undefined): string | undefined {
  if (address === undefined) return undefined;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isPlain = url?.username === "" && url.password === "" && url.search === "";
  if (isPlain && /^https?:$/.test(url.protocol)) return url.href.replace(/\/+$/, "");
  throw refusal(
    `"${name}" is not the plain URL of a service. Give one such as "https://api.example.com/v1".`,
  );
}

function refuseWrongOptions(options: ContractOptions): void {
  refuseUnknown(options, names, { cannot: "Cannot describe the contract", noun: "option" });
  if (options.against === undefined && options.tablesAgainst === undefined) {
    throw refusal('no service is named. Give "against", "tablesAgainst" or both.');
  }
}

function refusal(problem: string): EmulatorError {
  return invalidOption(`Cannot describe the contract: ${problem}`);
}
