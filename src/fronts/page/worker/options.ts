import { type EmulatorSettings, settingNames } from "../../../core/fixture-set/settings.ts";
import { placeOfSetting } from "../../../core/fixture-set/settings.ts";
import { EmulatorError } from "../../../core/errors/emulator-error.ts";
import { didYouMean } from "../../../core/errors/nearest-name.ts";
import type { Persistence } from "./page-session.ts";

/** What `startWorker` takes: fixtures and settings of the emulator, and how long its state lasts. */
export interface WorkerOptions<Fixtures = unknown> extends EmulatorSettings {
  /** A fixture document. Default: no tables, models or scripts. */
  readonly fixtures?: Fixtures;
  /** How long what requests change lasts, and for whom. Default `origin`. */
  readonly persist?: Persistence;
  /** Where the worker's script lies. Default `/backlot-worker.js`. */
  readonly script?: string;
  /** The pages that the worker may answer. Default: those below the script's folder. */
  readonly scope?: string;
  /** Parts of the script that the fixtures do not show a need for: `templates`, `faker`. */
  readonly parts?: readonly string[];
}

const ownNames: readonly string[] = ["fixtures", "persist", "script", "scope", "parts"];
const names: readonly string[] = [...ownNames, ...settingNames];

/** The parts of the script that are installed for who asks for them. */
const optionalParts: readonly string[] = ["templates", "faker"];

const elsewhere: ReadonlyMap<string, string> = new Map([
  ["tables", " Tables are part of the fixtures: startWorker({ fixtures: { tables } })."],
  ["observer", " A worker has nobody to tell. Read emulator.journal."],
  ["serviceWorker", " It is one of backlot/browser. Write script and scope."],
]);

/** Refuses options that are unknown, or that a worker cannot use. Throws `ERR_OPTION_INVALID`. */
export function checkWorkerOptions(options: WorkerOptions): void {
  for (const name of Object.keys(options)) {
    if (names.includes(name)) continue;
    const advice = elsewhere.get(name) ?? (placeOfSetting(name) || didYouMean(name, names));
    throw invalid(`"${name}": there is no such option.${advice} Use: ${names.join(", ")}.`);
  }
  const { script, scope, parts } = options;
  checkAddress("script", script, "/backlot-worker.js");
  checkAddress("scope", scope, "/");
  if (parts !== undefined) checkParts(parts);
}

function checkAddress(name: string, value: unknown, example: string): void {
  if (value === undefined || (typeof value === "string" && URL.canParse(value, location.href)))
    return;
  throw invalid(
    `${name}: its value is ${JSON.stringify(value)}. Give an address, such as "${example}".`,
  );
}

function checkParts(parts: unknown): void {
  const use = `Give an array of: ${optionalParts.join(", ")}.`;
  if (!Array.isArray(parts)) throw invalid(`parts: its value is ${JSON.stringify(parts)}. ${use}`);
  for (const part of parts) {
    if (optionalParts.includes(part)) continue;
    const near = typeof part === "string" ? didYouMean(part, optionalParts) : "";
    throw invalid(`parts: there is no part ${JSON.stringify(part)}.${near} ${use}`);
  }
}

function invalid(what: string): EmulatorError {
  return new EmulatorError("ERR_OPTION_INVALID", `Cannot use the option ${what}`);
}
