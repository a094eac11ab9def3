import type { Core } from "../../core/emulator/core.ts";
import { version } from "../../core/emulator/version.ts";
import type { FixturePlace } from "../node/fixture-place.ts";
import { refusedPortWarning } from "../node/refused-ports.ts";
import type { RunningServer } from "../node/server.ts";
import { type Io, shellQuote } from "./io.ts";
import { counted } from "../../core/errors/show.ts";
import type { FixtureSet } from "../../core/fixture-set/fixture-set.ts";

/** How a client reaches both interfaces. */
export interface EntryPoints {
  /** The base URL for an SDK's chat client. */
  readonly chatUrl: string;
  /** The base URL of tables; append `/{table}`. */
  readonly tablesUrl: string;
  /** Undefined: no token is needed. */
  readonly token: string | undefined;
  /** An accepted key. Undefined: no key is needed. */
  readonly apiKey: string | undefined;
  /** Whether any other key is accepted, too. */
  readonly takesAnyKey: boolean;
  /** Commands to paste into a shell. None for an empty interface. */
  readonly curl: { readonly tables?: string; readonly chat?: string };
}

/** The key to show if the fixtures list no keys, so that any key works. */
const anyKey = "any-key";

/** The model to show without a model list, when any model works. */
const anyModel = { id: "any-model" };

/** How to reach an emulator at `url`. */
export function entryPoints(core: Core, url: string): EntryPoints {
  const { settings, fixtures, state } = core;
  const { basePaths, tablesBasePaths, tokens, apiKeys } = settings;
  const chatUrl = `${url}${basePaths[0] ?? ""}`;
  const tablesUrl = `${url}${tablesBasePaths.at(-1) ?? ""}/rest`;
  const token = tokens === null ? undefined : tokens[0];
  const apiKey = apiKeys === null ? undefined : (apiKeys[0] ?? anyKey);
  const names = [...state.database.names()];
  const table = names.find((name) => (state.database.table(name)?.size ?? 0) > 0) ?? names[0];
  const { id } = fixtures.models.find(({ kind }) => kind === "chat") ?? anyModel;
  const canChat = fixtures.models.length === 0 || id !== anyModel.id;
  return {
    chatUrl,
    tablesUrl,
    token,
    apiKey,
    takesAnyKey: apiKeys?.length === 0,
    curl: {
      ...(table === undefined ? {} : { tables: tablesLine(tablesUrl, table, token) }),
      ...(canChat ? { chat: chatLine(chatUrl, id, apiKey) } : {}),
    },
  };
}

function tablesLine(url: string, table: string, token: string | undefined): string {
  const address = shellQuote(`${url}/${encodeURIComponent(table)}?limit=3`);
  return ["curl", ...authorization(token), address].join(" ");
}

function chatLine(url: string, id: string, apiKey: string | undefined): string {
  const body = { model: id, stream: true, messages: [{ role: "user", content: "Hello" }] };
  return [
    "curl -N",
    ...authorization(apiKey),
    `-H ${shellQuote("content-type: application/json")}`,
    `-d ${shellQuote(JSON.stringify(body))}`,
    shellQuote(`${url}/chat/completions`),
  ].join(" ");
}

function authorization(key: string | undefined): readonly string[] {
  return key === undefined ? [] : [`-H ${shellQuote(`authorization: Bearer ${key}`)}`];
}

/** What the log reports when the server answers. */
export interface Ready extends EntryPoints {
  readonly version: string;
  /** The server's address, with the real port. */
  readonly url: string;
  /** The source of the fixtures. */
  readonly fixtures: string;
  readonly counts: FixtureCounts;
  readonly watching: boolean;
}

/** Hosts that stand for all addresses of a machine. */
const everywhere = ["0.0.0.0", "::"];

/** Warns of a server that listens beyond this machine. */
export function warnIfOpen(
  { isLocal, host, port, url }: RunningServer,
  { addresses }: Pick<Io, "addresses">,
  log: (message: string) => void,
): void {
  if (isLocal) return;
  const urls = everywhere.includes(host)
    ? addresses().map((address) => `http://${address}:${port}`)
    : [url];
  const where = urls.length === 0 ? `at ${host}:${port}` : `at ${urls.join(" or ")}`;
  log(
    `Other machines in your networks can connect now, ${where}, by any host name: ` +
      "a site that rebinds its name to this machine can read with the token, too. " +
      "Leave out --host to serve only this machine.",
  );
}

/** Warns of a port to which browsers and `fetch` do not connect. */
export function warnIfRefused({ port }: RunningServer, log: (message: string) => void): void {
  const warning = refusedPortWarning(port);
  if (warning !== undefined) log(warning);
}

/** Makes the report for a server at a URL. */
export function readyFacts(
  core: Core,
  url: string,
  { place, watching = false }: { readonly place: FixturePlace; readonly watching?: boolean },
): Ready {
  return {
    version,
    url,
    ...entryPoints(core, url),
    fixtures: place.label,
    counts: countFixtures(core.fixtures),
    watching,
  };
}

/** The contents of a fixture set in numbers. */
export interface FixtureCounts {
  readonly tables: number;
  readonly rows: number;
  readonly models: number;
  readonly scripts: number;
  /** Left out if there are none. */
  readonly cassettes?: number;
  readonly recordings?: number;
}

/** Counts the contents of a fixture set. */
export function countFixtures(set: FixtureSet): FixtureCounts {
  const { tables, database, models, scripts, cassettes } = set;
  return {
    tables: tables.length,
    rows: tables.reduce((sum, { schema }) => sum + (database.table(schema.name)?.size ?? 0), 0),
    models: models.length,
    scripts: scripts.length,
    ...(cassettes.length === 0
      ? {}
      : {
          cassettes: cassettes.length,
          recordings: cassettes.reduce((total, { recordings }) => total + recordings.length, 0),
        }),
  };
}

/** Counts in words: `3 tables (360 rows), 5 models, 14 scripts`. Zeros are left out. */
export function showCounts(counts: FixtureCounts): string {
  const { tables, rows, models, scripts, cassettes = 0, recordings = 0 } = counts;
  const all: readonly (readonly [count: number, words: string])[] = [
    [tables, `${counted(tables, "table")} (${counted(rows, "row")})`],
    [models, counted(models, "model")],
    [scripts, counted(scripts, "script")],
    [cassettes, `${counted(cassettes, "cassette")} (${counted(recordings, "recording")})`],
  ];
  const some = all.filter(([count]) => count > 0);
  if (some.length === 0) return "no tables, models or scripts";
  return some.map(([, words]) => words).join(", ");
}
