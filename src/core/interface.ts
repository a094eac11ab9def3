import { chatInterface } from "./chat/interface.ts";
import type { ConversationScope } from "./chat/faults/conversation-scope.ts";
import type { ChatScene, ChatSettings } from "./chat/scene.ts";
import type { Wire } from "./chat/wire/wire.ts";
import type { CallHeaders } from "./http/call.ts";
import type { Endpoint } from "./http/endpoint.ts";
import type { OwnError, PlannedError, Reply } from "./http/reply.ts";
import type { DescribedEndpoint } from "./schema/openapi.ts";
import type { DescribedTable } from "./tables/describe.ts";
import { tablesInterface, type TablesScene, type TablesSettings } from "./tables/interface.ts";

/** The names of the interfaces, for journal, faults, recordings and options. */
export const interfaceNames = ["tables", "chat"] as const;

export type InterfaceName = (typeof interfaceNames)[number];

/** The settings that an interface can depend on. */
export type InterfaceSettings = ChatSettings & TablesSettings;

/** A request to an interface, with everything that answering it needs. */
export type InterfaceScene = ChatScene & TablesScene;

/**
 * An HTTP interface of the service. Code that serves, fails, records or describes requests asks this object, and never
 * compares the names of interfaces.
 */
export interface Interface {
  readonly name: InterfaceName;
  /** A sentence that says what it serves. */
  readonly title: string;
  /**
   * The beginning of all its paths below the mount point. The URL of a real service includes it; recordings leave it
   * out.
   */
  readonly root: string;
  /** Its key, as OpenAPI names and describes it. */
  readonly key: { readonly name: string; readonly description: string };
  /** Whether answers can be streams, so that an error can come after a status of 200. */
  readonly hasStreams: boolean;
  /** Whether a model answers: requests carry a conversation, and answers say their tokens and why they ended. */
  readonly hasModels: boolean;
  /** Whether the value of a query parameter of this name must not be shown. */
  readonly isSecretParameter: (name: string) => boolean;
  /**
   * Error statuses that depend on the state and do not mean that the request is wrong, such as 404 for a missing row.
   */
  readonly statusesOfState: readonly number[];
  readonly endpoints: (settings: InterfaceSettings) => readonly Endpoint[];
  /** Where it is mounted: prefixes without a trailing slash, longest first. */
  readonly basePaths: (settings: InterfaceSettings) => readonly string[];
  /** The keys that it accepts. Empty: any key. Null: no key is needed. */
  readonly keys: (settings: InterfaceSettings) => readonly string[] | null;
  /** The key that a request has. Undefined: it has none that can be read. */
  readonly keyOf: (settings: InterfaceSettings, headers: CallHeaders) => string | undefined;
  /** Whether its service has no other interface, so that it also answers paths that no interface has. */
  readonly isSole: (settings: InterfaceSettings) => boolean;
  /** Whether answers may point to Backlot's settings and console, which a real service would not. */
  readonly guides: (settings: InterfaceSettings) => boolean;
  /** Whether even a request that reads changes the state: it draws an id from the random numbers. */
  readonly changesByReading: boolean;
  /** Whether a request of this method can change rows. */
  readonly changesRows: (method: string) => boolean;
  /**
   * Whether a path below the mount point is that of a table or of one of its rows. Undefined in an interface without
   * tables.
   */
  readonly isOfTable:
    | ((settings: InterfaceSettings, path: string, table: string) => Promise<boolean>)
    | undefined;
  /** The form of the answers at a path, if a model answers there in a form of its own. */
  readonly wireAt:
    | ((settings: InterfaceSettings, path: string) => Promise<Wire | undefined>)
    | undefined;
  /**
   * Makes the test whether a request is in the scope of a planned fault; undefined for a request that asks no model.
   * Undefined in an interface without models.
   */
  readonly scopeTest:
    | ((scene: InterfaceScene) => Promise<((scope: ConversationScope) => boolean) | undefined>)
    | undefined;
  /** Whether pages of other origins can read its answers. */
  readonly letsPagesRead: (settings: InterfaceSettings) => boolean | Promise<boolean>;
  /** Answers a request whose path the interface has. A rejection is a bug in the emulator. */
  readonly answer: (scene: InterfaceScene) => Promise<Reply>;
  /**
   * Answers a request whose path no interface has. `elsewhere` is a sentence that says where the rows are that the path
   * seems to mean.
   */
  readonly answerElsewhere: (
    scene: InterfaceScene,
    elsewhere: string | undefined,
  ) => Promise<Reply>;
  /** Whether a request lacks a required key. */
  readonly refuses: (scene: InterfaceScene) => Promise<boolean>;
  /** The answer to a request that a planned fault makes fail. */
  readonly fail: (scene: InterfaceScene, error: PlannedError) => Promise<Reply>;
  /** The answer to a request that is not recorded. */
  readonly refuseUnrecorded: (scene: InterfaceScene, message: string) => Promise<Reply>;
  /** The body of an error of the emulator. */
  readonly envelope: (error: OwnError) => object;
  /** What its endpoints take and answer, for OpenAPI. */
  readonly describe: (
    settings: InterfaceSettings,
    tables: readonly DescribedTable[],
  ) => Promise<readonly DescribedEndpoint[]>;
}

/** The interfaces by name. */
export const interfaces: Readonly<Record<InterfaceName, Interface>> = {
  tables: tablesInterface,
  chat: chatInterface,
};

/** All interfaces. The first one that has a path answers it. */
export const allInterfaces: readonly Interface[] = interfaceNames.map((name) => interfaces[name]);

/** Answers the paths that no interface has. */
export const fallbackInterface: Interface = chatInterface;

/**
 * The paths of the other interfaces, for a hint. They are shown below the same mount point if possible, else below the
 * longest mount point of their interface.
 */
export function pathsBeside(
  name: InterfaceName,
  { base, settings }: { readonly base: string; readonly settings: InterfaceSettings },
): readonly string[] {
  return allInterfaces
    .filter((other) => other.name !== name)
    .flatMap((other) => {
      const bases = other.basePaths(settings);
      const root = bases.includes(base) ? base : (bases[0] ?? "");
      const paths = other.endpoints(settings).map(({ path }) => root + path);
      return [...new Set(paths)];
    });
}
