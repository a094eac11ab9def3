import { closedObject, optional } from "../../core/schema/objects.ts";
import type { Schema } from "../../core/schema/schema.ts";
import { arrayOf, choice, flag, jsonValue, oneOf, text } from "../../core/schema/values.ts";
import { persistence } from "./persistence.ts";

/** An address, which may be relative to the page. */
function address(example: string): Schema<string> {
  return {
    check: (value, run) => {
      const isAddress = typeof value === "string" && URL.canParse(value, "http://localhost");
      if (!isAddress) run.mustBe(`an address, such as "${example}"`, value);
    },
    json: text.json,
  };
}

const strategies = oneOf(["bypass", "warn", "error"]);

const unhandled = choice([strategies, jsonValue], "a strategy or a function", (value) =>
  typeof value === "function" ? 1 : 0,
);

/** The options of backlot/browser's `startWorker` besides the settings. */
export const browserOptions: Readonly<Record<string, Schema<unknown>>> = {
  fixtures: jsonValue,
  tables: jsonValue,
  observer: jsonValue,
  serviceWorker: closedObject({
    url: optional(address("/mockServiceWorker.js")),
    options: optional(
      closedObject({
        scope: optional(text),
        type: optional(text),
        updateViaCache: optional(text),
      }),
    ),
  }),
  onUnhandledRequest: unhandled,
  onUnhandledFrame: unhandled,
  quiet: flag,
};

/** Options of other functions that people may look for in backlot/browser. */
export const notOfBrowser: Readonly<Record<string, string>> = {
  persist: "It belongs to backlot/worker: a page's emulator starts over with the page.",
  script: "Write serviceWorker: { url }.",
  url: "Write serviceWorker: { url }.",
  scope: "Write serviceWorker: { options: { scope } }.",
};

/** The options of backlot/worker's `startWorker` besides the settings. */
export const workerOptions: Readonly<Record<string, Schema<unknown>>> = {
  fixtures: jsonValue,
  persist: persistence,
  script: address("/backlot-worker.js"),
  scope: address("/"),
  parts: arrayOf(oneOf(["templates", "faker", "control", "more"])),
};

/** Options of other functions that people may look for in backlot/worker. */
export const notOfWorker: Readonly<Record<string, string>> = {
  tables: "Tables are part of the fixtures: startWorker({ fixtures: { tables } }).",
  observer: "A worker has no observer. Read emulator.journal.",
  serviceWorker: "It belongs to backlot/browser. Write script and scope.",
};
