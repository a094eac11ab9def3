import type { CallHeaders } from "../http/call.ts";
import { findPlace } from "../http/endpoint.ts";
import type { OwnError, PlannedError, Reply } from "../http/reply.ts";
import { isSecretHeader } from "../http/secret-names.ts";
import { loadOnce } from "../http/load-once.ts";
import type { DescribedEndpoint } from "../schema/openapi.ts";
import { azurePaths, chatKey } from "./azure.ts";
import { type ChatEndpoint, endpointsUnder } from "./endpoints.ts";
import type { ConversationScope } from "./faults/conversation-scope.ts";
import type { ChatScene, ChatSettings } from "./scene.ts";
import type { Wire } from "./wire/wire.ts";

/** Loads chat on first use: its modules take 8 ms, for which users of tables alone need not wait. */
const room = loadOnce(() => import("./answer-scene.ts"));

/** Chat completions and the model list. */
export const chatInterface = {
  name: "chat",
  root: "",
  title: "Chat completions and the model list.",
  key: { name: "apiKey", description: "One of `apiKeys`, or any key if there are none." },
  hasStreams: true,
  changesByReading: true,
  hasModels: true,
  isSecretParameter: (name: string): boolean => isSecretHeader(name),
  statusesOfState: [429],
  endpoints: ({ chatEndpoints, chatProfile }: ChatSettings): readonly ChatEndpoint[] =>
    endpointsUnder(chatProfile, chatEndpoints),
  basePaths: ({ basePaths, chatProfile }: ChatSettings): readonly string[] =>
    chatProfile.isWhole ? [...basePaths, ...azurePaths(basePaths)] : basePaths,
  keys: ({ apiKeys }: ChatSettings): readonly string[] | null => apiKeys,
  keyOf: ({ chatProfile }: ChatSettings, headers: CallHeaders): string | undefined =>
    chatKey(chatProfile, headers),
  isSole: (): boolean => false,
  guides: ({ chatProfile }: ChatSettings): boolean => chatProfile.guides,
  // Chats only read rows, for templates.
  changesRows: (): boolean => false,
  isOfTable: undefined,
  wireAt: async ({ chatEndpoints }: ChatSettings, path: string): Promise<Wire | undefined> =>
    findPlace(chatEndpoints, path).endpoints[0]?.wire?.(),
  scopeTest: async (
    scene: ChatScene,
  ): Promise<((scope: ConversationScope) => boolean) | undefined> =>
    (await room()).scopeTestOf(scene),
  letsPagesRead: (): boolean => true,

  answer: async (scene: ChatScene): Promise<Reply> => (await room()).answerScene(scene),

  answerElsewhere: async (scene: ChatScene, elsewhere: string | undefined): Promise<Reply> =>
    (await room()).answerUnknownPath(scene, elsewhere),

  refuses: async (scene: ChatScene): Promise<boolean> => (await room()).lacksKey(scene),

  fail: async (scene: ChatScene, error: PlannedError): Promise<Reply> =>
    (await room()).failScene(scene, error),

  refuseUnrecorded: async (scene: ChatScene, message: string): Promise<Reply> =>
    (await room()).refuseUnrecordedScene(scene, message),

  envelope: ({ status, code, message }: OwnError): object => {
    const type = status >= 500 ? "server_error" : "invalid_request_error";
    return { error: { message, type, param: null, code } };
  },

  describe: async ({
    chatEndpoints,
    chatProfile,
  }: ChatSettings): Promise<readonly DescribedEndpoint[]> => {
    const rules = await chatProfile.rules();
    return Promise.all(
      endpointsUnder(chatProfile, chatEndpoints).map(async ({ method, path, describe }) => ({
        method,
        path,
        ...(await describe(rules)),
      })),
    );
  },
} as const;
