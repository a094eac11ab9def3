import { settingNames } from "../../../core/fixture-set/settings.ts";
import { placeOfSetting } from "../../../core/fixture-set/settings.ts";
import { EmulatorError } from "../../../core/errors/emulator-error.ts";
import { didYouMean } from "../../../core/errors/nearest-name.ts";

const ownNames: readonly string[] = [
  "fixtures",
  "tables",
  "observer",
  "serviceWorker",
  "onUnhandledRequest",
  "onUnhandledFrame",
  "quiet",
];
const names: readonly string[] = [...ownNames, ...settingNames];
const ofServiceWorker: readonly string[] = ["url", "options"];
const ofRegistration: readonly string[] = ["scope", "type", "updateViaCache"];
const strategies: readonly string[] = ["bypass", "warn", "error"];

const elsewhere: ReadonlyMap<string, string> = new Map([
  ["persist", " It is one of backlot/worker: the emulator of a page begins anew with it."],
  ["script", " Write serviceWorker: { url }."],
  ["url", " Write serviceWorker: { url }."],
  ["scope", " Write serviceWorker: { options: { scope } }."],
]);

/** Refuses options that are unknown, or that msw would take for others. Throws `ERR_OPTION_INVALID`. */
export function checkBrowserOptions(options: object): void {
  for (const name of Object.keys(options)) {
    if (names.includes(name)) continue;
    const advice = elsewhere.get(name) ?? (placeOfSetting(name) || didYouMean(name, names));
    throw invalid(`"${name}": there is no such option.${advice} Use: ${names.join(", ")}.`);
  }
  const given = new Map<string, unknown>(Object.entries(options));
  const quiet = given.get("quiet");
  if (quiet !== undefined && typeof quiet !== "boolean") {
    throw invalid(`quiet: its value is ${JSON.stringify(quiet)}. Give true or false.`);
  }
  for (const name of ["onUnhandledRequest", "onUnhandledFrame"]) {
    checkStrategy(name, given.get(name));
  }
  checkServiceWorker(given.get("serviceWorker"));
}

function checkStrategy(name: string, value: unknown): void {
  if (value === undefined || typeof value === "function") return;
  if (typeof value === "string" && strategies.includes(value)) return;
  const near = typeof value === "string" ? didYouMean(value, strategies) : "";
  throw invalid(
    `${name}: its value is ${JSON.stringify(value)}.${near} Use one of: ${strategies.join(", ")}, or give a function.`,
  );
}

function checkServiceWorker(value: unknown): void {
  if (value === undefined) return;
  checkNames("serviceWorker", value, ofServiceWorker);
  const { url, options } = value;
  if (url !== undefined && (typeof url !== "string" || !URL.canParse(url, location.href))) {
    throw invalid(
      `serviceWorker.url: its value is ${JSON.stringify(url)}. Give an address, such as "/mockServiceWorker.js".`,
    );
  }
  if (options !== undefined) checkNames("serviceWorker.options", options, ofRegistration);
}

// oxlint-disable-next-line max-params
function checkNames(
  place: string,
  value: unknown,
  known: readonly string[],
): asserts value is Readonly<Record<string, unknown>> {
  const use = `Use: ${known.join(", ")}.`;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalid(`${place}: its value is ${JSON.stringify(value)}. Give an object. ${use}`);
  }
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw invalid(`${place}: it has no "${unknown}".${didYouMean(unknown, known)} ${use}`);
}

function invalid(what: string): EmulatorError {
  return new EmulatorError("ERR_OPTION_INVALID", `Cannot use the option ${what}`);
}
