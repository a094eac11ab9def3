import type { Call } from "../../http/call.ts";
import { acceptsGzip } from "../../http/content-coding.ts";
import { jsonReply, type Reply } from "../../http/reply.ts";
import type { ConsolePage } from "../../emulator/extras.ts";
import type { ControlScene, ControlRoute } from "../read-call.ts";
import { fixturesJsonSchema } from "../../fixture-set/format/fixtures-json-schema.ts";
import { profilesOf } from "../../emulator/state/export-state.ts";
import { version as ownVersion } from "../../emulator/version.ts";
import type { ConversationForm, Endpoint } from "../../http/endpoint.ts";
import { allInterfaces, type InterfaceName, type InterfaceSettings } from "../../interface.ts";
import type { Database } from "../../store/database.ts";
import { operatorNames, operators } from "../../store/operators.ts";
import type { Column } from "../../store/schema.ts";
import { refuse } from "../errors.ts";
import { objectOf, text } from "../../schema/openapi.ts";

/** A table's structure, and its number of rows. */
export interface TableEntry {
  readonly name: string;
  /** In key order. Empty: there is no key. */
  readonly primaryKey: readonly string[];
  readonly columns: readonly {
    readonly name: string;
    readonly type: string;
    readonly notNull: boolean;
    /** A foreign key, as `table.column`. */
    readonly references?: string;
  }[];
  readonly rows: number;
  /** Changes with each write. Null if changes are not tracked, as in a program's own table. */
  readonly version: number | null;
}

function tableEntries(database: Database): readonly TableEntry[] {
  return database.names().flatMap((name) => {
    const table = database.table(name);
    if (table === undefined) return [];
    const { primaryKey, columns } = table.schema;
    const { size: rows, version = null } = table;
    return [{ name, primaryKey, columns: columns.map(columnEntry), rows, version }];
  });
}

function columnEntry({ name, type, notNull, references }: Column): TableEntry["columns"][number] {
  if (references === undefined) return { name, type, notNull };
  return { name, type, notNull, references: `${references.table}.${references.column}` };
}

/** An operator of filters. */
export interface OperatorEntry {
  readonly name: string;
  /** How a filter shows it before a value; the first one is the default. */
  readonly signs: readonly [string, ...(readonly string[])];
}

export const operatorEntries: readonly OperatorEntry[] = operatorNames.map((name) => ({
  name,
  signs: operators[name].signs,
}));

/** A key to use if chat accepts any. */
const anyKey = "backlot-console";

/** The folder of the fixtures, and what is wrong with them. */
function fixtureFacts({ folder, current }: Pick<ControlScene, "folder" | "current">): object {
  return { folder: folder?.label ?? null, fixtureProblem: current().fixtureProblem ?? null };
}

/** What the console needs for its first page. */
function consoleSetup({ setup, session, sessionId, ...scene }: ControlScene): object {
  const { tokens, apiKeys, tablesBasePaths, basePaths, ...settings } = setup.settings;
  // With several mount points: the shortest for tables, and the one that SDKs are given for chat.
  const mounted = { tables: tablesBasePaths.at(-1) ?? "", chat: basePaths[0] ?? "" };
  return {
    version: ownVersion,
    session: sessionId ?? null,
    // Looking at a session does not create it. The first request that may change the session does.
    hasBegun: sessionId === undefined || setup.sessions.has(sessionId),
    faults: session.state.faults.list().length,
    ...fixtureFacts(scene),
    profiles: profilesOf(settings),
    basePaths: mounted,
    // Null: no key is needed.
    keys: { tables: tokens?.[0] ?? null, chat: apiKeys === null ? null : (apiKeys[0] ?? anyKey) },
    model: session.models[0]?.id ?? null,
    tables: tableEntries(session.state.database),
    operators: operatorEntries,
    endpoints: endpointEntries(setup.settings, mounted, session.models[0]?.id ?? "any"),
  };
}

/** An endpoint of an interface. */
export interface EndpointEntry extends Pick<Endpoint, "method"> {
  /** The form of the conversations that it takes; null if it takes none. */
  readonly form: ConversationForm | null;
  readonly interface: InterfaceName;
  readonly hasStreams: boolean;
  /** The path from the root of the server or of the session. The reference explains the names in braces. */
  readonly path: string;
  /** An example body; null if there is none. */
  readonly body: object | null;
}

function endpointEntries(
  settings: InterfaceSettings,
  mounted: Readonly<Record<InterfaceName, string>>,
  model: string,
): readonly EndpointEntry[] {
  return allInterfaces.flatMap(({ name, hasStreams, endpoints }) =>
    endpoints(settings).map(({ method, path, example, form = null }) => ({
      interface: name,
      hasStreams,
      method,
      path: mounted[name] + path,
      body: example?.(model) ?? null,
      form,
    })),
  );
}

/** Reports that the server runs. */
export const healthRoute: ControlRoute = {
  method: "GET",
  path: "/health",
  id: "getHealth",
  summary: "Checks that the emulator is running",
  description: "It answers anyone, without a key.",
  open: true,
  cors: true,
  success: { description: "It runs.", schema: () => objectOf({ status: { const: "ok" } }) },
  answer: () => jsonReply(200, { status: "ok" }),
};

/** Metrics, descriptions for programs, and the console, a web page for people. */
export const aboutRoutes: readonly ControlRoute[] = [
  {
    method: "GET",
    path: "/metrics",
    id: "getMetrics",
    summary: "Returns figures in Prometheus' text format",
    description:
      "Counted since the emulator was made, over all sessions: requests, streams, the queue for capacity, time to first token and between tokens.",
    success: {
      description: "The figures. Times are in seconds.",
      contentType: "text/plain; version=0.0.4",
      schema: () => text,
    },
    // Loaded on demand, since this is rarely requested.
    answer: async (_, { metrics, setup: { sessions } }) => {
      const { metricsText } = await import("../metrics-text.ts");
      const all = [sessions.base, ...sessions.list()];
      return {
        status: 200,
        headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" },
        body: { kind: "text", text: metricsText(metrics, all) },
      };
    },
  },
  {
    method: "GET",
    path: "/openapi.json",
    id: "getOpenApi",
    summary: "Describes the control API, chat and each table as OpenAPI 3.1",
    success: {
      description: "The document. It describes the interfaces under their profiles.",
      schema: () => ({ type: "object" }),
    },
    // Loaded on demand, since this is rarely requested.
    answer: async ({ routes }, { session, sessionId, setup: { settings } }) => {
      const { openApiDocument } = await import("../openapi/document.ts");
      const { database } = session.state;
      const tables = database.names().flatMap((name) => {
        const table = database.table(name);
        if (table === undefined) return [];
        const [sample] = table.select({ where: [], limit: 1 });
        return [{ schema: table.schema, sample }];
      });
      return jsonReply(200, await openApiDocument(routes, { settings, sessionId, tables }));
    },
  },
  {
    method: "GET",
    path: "/fixtures.schema.json",
    id: "getFixturesSchema",
    summary: "Returns the JSON Schema of fixtures",
    success: {
      description: "The schema, the same as the package's `fixtures.schema.json`.",
      schema: () => ({ type: "object" }),
    },
    answer: () => jsonReply(200, fixturesJsonSchema()),
  },
  {
    method: "GET",
    path: "/",
    id: "getConsole",
    summary: "Returns the console, a web page",
    description:
      "The path also works without the final slash. The page contains no keys, so any browser may load it. It reads its data through the other routes. It is compressed by gzip for clients that accept it over the network.",
    open: true,
    success: { description: "The page.", contentType: "text/html", schema: () => text },
    answer: async ({ call }, { console }) => {
      if (console === undefined) {
        return refuse("unknown_path", { message: "This emulator was made without a console." });
      }
      return pageReply(call, await console());
    },
  },
  {
    method: "GET",
    path: "/console.json",
    id: "getConsoleSetup",
    summary: "Returns the data that the console starts with, including the keys of both interfaces",
    success: {
      description: "Base paths, keys and the tables with their columns.",
      schema: () => ({ type: "object" }),
    },
    answer: (_, scene) => jsonReply(200, consoleSetup(scene)),
  },
];

/**
 * The console's page, compressed for a client that accepts it. Clients unpack only what comes over a network: code in
 * the same process and pages with a worker read the bytes as they are.
 */
async function pageReply(call: Call, page: ConsolePage): Promise<Reply> {
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": page.consolePolicy,
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    vary: "accept-encoding",
  };
  if (call.peerAddress?.() !== undefined && acceptsGzip(call.headers["accept-encoding"])) {
    return {
      status: 200,
      headers: { ...headers, "content-encoding": "gzip" },
      body: { kind: "bytes", bytes: page.packedPage },
    };
  }
  return { status: 200, headers, body: { kind: "text", text: await page.consolePage() } };
}
