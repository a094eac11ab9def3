import { cut } from "../errors/show.ts";
import { bearerKey } from "../http/bearer-key.ts";
import type { Call, CallHeaders } from "../http/call.ts";
import type { OwnError, PlannedError, Reply } from "../http/reply.ts";
import { isSecretName } from "../http/secret-names.ts";
import type { DescribedEndpoint } from "../schema/openapi.ts";
import type { Database } from "../store/database.ts";
import {
  answerElsewhere,
  answerTables,
  failTables,
  refuseUnrecordedRow,
  type TablesContext,
} from "./answer-tables.ts";
import { defaultToken } from "./default-token.ts";
import type { DescribedTable } from "./describe.ts";
import { type TablesEndpoint, tablesEndpoints } from "./endpoints.ts";
import type { ProfileAnswers } from "./profile-answers.ts";
import type { TablesProfile } from "./profiles.ts";

/** The settings that tables depend on. */
export interface TablesSettings {
  readonly tablesProfile: TablesProfile;
  readonly tablesBasePaths: readonly string[];
  readonly tokens: readonly string[] | null;
  /** The keys of chat, which a client may send by mistake. */
  readonly apiKeys: readonly string[] | null;
  readonly cors: boolean;
}

/** What tables ask of the session of a request. */
export interface TablesSession {
  readonly state: {
    readonly database: Database;
    readonly clock: { readonly now: () => number };
  };
  /** A text without the emulator's own keys, apart from `known`, which is no secret. */
  readonly withoutOwnKeys: (text: string, known: string) => string;
}

/** A request to the tables, with all that it meets. */
export interface TablesScene {
  readonly call: Call;
  /** The path after `/rest`, still percent-encoded. */
  readonly route: { readonly path: string };
  readonly session: TablesSession;
  readonly settings: TablesSettings;
  /** Logs a warning for the developer: each message once, and a few messages of each kind. */
  readonly warnOnce: (message: string, kind?: string) => void;
}

/** The tables interface: rows over REST. */
export const tablesInterface = {
  name: "tables",
  root: "/rest",
  title: "The rows of each table.",
  key: { name: "tablesToken", description: "The `AUTHORIZATION_TOKEN`." },
  hasStreams: false,
  changesByReading: false,
  hasModels: false,
  // Parameters name columns, and a column may be called `key`.
  isSecretParameter: (name: string): boolean => isSecretName(name),
  statusesOfState: [404, 409, 429],
  endpoints: (): readonly TablesEndpoint[] => tablesEndpoints,
  basePaths: ({ tablesBasePaths }: TablesSettings): readonly string[] => tablesBasePaths,
  keys: ({ tokens }: TablesSettings): readonly string[] | null => tokens,
  keyOf: (_: TablesSettings, headers: CallHeaders): string | undefined =>
    bearerKey(headers["authorization"]),
  isSole: ({ tablesProfile }: TablesSettings): boolean => tablesProfile.isAlone,
  guides: (): boolean => false,
  changesRows: (method: string): boolean => !readMethods.has(method),
  scopeTest: undefined,
  isOfTable: async (
    { tablesProfile }: TablesSettings,
    path: string,
    table: string,
  ): Promise<boolean> => (await tablesProfile.answers()).faults.isOfTable(path, table),
  wireAt: undefined,
  letsPagesRead: async ({ tablesProfile }: TablesSettings): Promise<boolean> =>
    (await tablesProfile.answers()).cors !== undefined,

  answer: async (scene: TablesScene): Promise<Reply> => {
    const answers = await scene.settings.tablesProfile.answers();
    return answerTables(scene.call, scene.route.path, contextOf(scene, answers));
  },

  /** Answers as the real service does, which gives no advice; the advice goes to the log, before the request itself. */
  answerElsewhere: async (scene: TablesScene, elsewhere: string | undefined): Promise<Reply> => {
    const { call, route, settings, warnOnce } = scene;
    if (elsewhere !== undefined) {
      const asked = `${call.method} ${cut(call.path)}`;
      warnOnce(`${asked} is no path of the tables. ${elsewhere}`, "rows elsewhere");
    }
    const answers = await settings.tablesProfile.answers();
    return answerElsewhere(call, route.path, contextOf(scene, answers));
  },

  refuses: async ({ call, settings }: Pick<TablesScene, "call" | "settings">): Promise<boolean> => {
    const { refuse } = await settings.tablesProfile.answers();
    const keys = { tokens: settings.tokens, chatKeys: [], warn: () => undefined };
    return refuse(call, keys) !== undefined;
  },

  fail: async ({ call, settings }: TablesScene, error: PlannedError): Promise<Reply> => {
    const answers = await settings.tablesProfile.answers();
    return failTables(call, error, { answers, cors: settings.cors });
  },

  refuseUnrecorded: async ({ call, settings }: TablesScene, message: string): Promise<Reply> => {
    const answers = await settings.tablesProfile.answers();
    return refuseUnrecordedRow(call, message, { answers, cors: settings.cors });
  },

  envelope: ({ code, message }: OwnError): object => ({ error: message, code }),

  describe: async (
    { tablesProfile }: TablesSettings,
    tables: readonly DescribedTable[],
  ): Promise<readonly DescribedEndpoint[]> => {
    const { describeTables } = await import("./describe.ts");
    return describeTables(tablesProfile.name, tables);
  },
} as const;

const readMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

function contextOf(scene: TablesScene, answers: ProfileAnswers): TablesContext {
  const { session, settings, warnOnce } = scene;
  const { tokens, apiKeys, cors } = settings;
  const { database, clock } = session.state;
  return {
    database,
    answers,
    tokens,
    chatKeys: apiKeys ?? [],
    cors,
    now: clock.now,
    warn: (message, kind) => warnOnce(session.withoutOwnKeys(message, defaultToken), kind),
  };
}
