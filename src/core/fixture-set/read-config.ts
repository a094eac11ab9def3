import { checkPace } from "../chat/scripts/check-script.ts";
import type { LoadRule } from "../chat/load.ts";
import type { Pace } from "../chat/scripts/script.ts";
import { check, unknownKey, type Findings } from "../schema/schema.ts";
import { configKeys } from "../settings/config-keys.ts";
import { bounds, type FixtureSettings } from "../settings/settings.ts";
import { documentKeys, settingKeys, settingsSchema } from "./format/document-format.ts";
import { timeOf } from "../schema/time.ts";
import { nearestName, showText } from "../errors/show.ts";
import { defined, isObject } from "../schema/json.ts";

type Document = Readonly<Record<string, unknown>>;

/** Config keys whose values must be translated to settings. */
interface ConfigInput {
  readonly profiles?: {
    readonly tables?: FixtureSettings["tablesProfile"];
    readonly chat?: FixtureSettings["chatProfile"];
  };
  readonly chat?: Pick<FixtureSettings, "unmatched" | "unknownModels" | "pace"> & {
    readonly load?: LoadRule | readonly LoadRule[];
  };
  readonly clock?: string;
  readonly basePath?: string | readonly string[];
  readonly latency?: number | readonly number[];
}

/** Reads a document's settings. */
export function readSettings(document: Document, findings: Findings): FixtureSettings {
  const entries = Object.entries(document).filter(([key]) => settingKeys.includes(key));
  const settings = check(settingsSchema, Object.fromEntries(entries), { path: [], findings });
  if (settings === undefined) return {};
  const { profiles, chat, clock, basePath, latency }: ConfigInput = settings;
  const named = [...configKeys].map(([key, { name }]) => [name, settings[key]]);
  const { profiles: _profiles, chat: _chat, ...plain } = Object.fromEntries(named);
  return defined({
    ...plain,
    clock: clock === undefined ? undefined : readClock(clock, findings),
    tablesProfile: profiles?.tables,
    chatProfile: profiles?.chat,
    unmatched: chat?.unmatched,
    unknownModels: chat?.unknownModels,
    pace: readPace(chat?.pace, findings),
    load: chat?.load === undefined ? undefined : [chat.load].flat(),
    basePath: typeof basePath === "string" ? [basePath] : basePath,
    latency: latency === undefined ? undefined : bounds(latency),
  });
}

/** Checks that a pace is possible. */
function readPace(pace: Pace | undefined, findings: Findings): Pace | undefined {
  const problems = pace === undefined ? [] : checkPace(pace, ["chat", "pace"]);
  for (const { path, message } of problems)
    findings.report(path, `The pace is impossible: ${message}.`);
  return problems.length === 0 ? pace : undefined;
}

/** Reports unknown keys. */
export function refuseUnknownKeys(document: Document, findings: Findings): void {
  for (const [key, value] of Object.entries(document)) {
    if (!documentKeys.includes(key)) findings.report([key], refusal(key, value), { at: "key" });
  }
}

/** Whether a key is a misspelt `chats`. In a table with a similar name, rows have no replies and conditions. */
export function isScripts(key: string, value: unknown): boolean {
  return /scripts?$/i.test(key) && Array.isArray(value) && value.some(looksLikeScript);
}

function looksLikeScript(item: unknown): boolean {
  return isObject(item) && ["when", "reply", "replies"].some((name) => Object.hasOwn(item, name));
}

function refusal(key: string, value: unknown): string {
  if (isScripts(key, value)) return `Unknown key ${showText(key)}. Did you mean "chats"?`;
  const couldBeTable = typeof value === "object" && value !== null;
  if (couldBeTable && nearestName(key, documentKeys) === undefined) {
    return `Unknown key ${showText(key)}. Put tables into "tables". If each key is a table, import them: backlot import db.json --from json-server.`;
  }
  return unknownKey(key, documentKeys);
}

function readClock(clock: string, findings: Findings): number | undefined {
  const time = timeOf(clock);
  if (time !== undefined) return time;
  const message = `"clock" must be a time such as "2024-01-01T00:00:00Z", but is ${showText(clock)}.`;
  findings.report(["clock"], message);
  return undefined;
}
