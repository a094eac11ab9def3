import { failed, ok, type Result } from "../errors/result.ts";
import { jsonReply, type Reply } from "../http/reply.ts";
import { type ChatError, chatErrors, errorReply } from "./errors.ts";
import type { Script } from "./scripts/script.ts";
import { decodedOrSent } from "../http/url-parts.ts";

/** An entry of the model list. */
export interface Model {
  readonly id: string;
  /** The more specific id that replies name. */
  readonly variant?: string;
  readonly owned_by: string;
  /** Unix time in seconds. */
  readonly created: number;
  /** The most tokens of a request and its reply together. */
  readonly contextLength?: number;
  readonly kind: "chat" | "embedding";
  /** Whether it reasons before it answers. Default: as its name says. */
  readonly reasoning?: boolean;
  /** How many numbers an embedding model's vectors have. */
  readonly dimensions?: number;
}

/** The most numbers of a vector: the answer to a large request must fit a text. */
export const largestVector = 8192;

/** The models that are listed when the fixtures have none, for programs that let users choose one. */
const usualModels: readonly Model[] = [
  { id: "atlas-large", kind: "chat", owned_by: "backlot", created: 1_714_521_600 },
  { id: "atlas-small", kind: "chat", owned_by: "backlot", created: 1_710_147_600 },
  { id: "atlas-embed", kind: "embedding", owned_by: "backlot", created: 1_706_522_400 },
];

/**
 * Answers `GET /models`. Chat models come first, since programs take the first one. If every id is accepted, the list
 * also has the models that scripts name.
 */
export function listModels(
  { models, acceptModel }: ModelContext,
  scripts: readonly Pick<Script, "when">[],
): Reply {
  const acceptsAny = models.length === 0 || acceptModel !== undefined;
  const named = acceptsAny ? modelsNamedIn(scripts, models) : [];
  const usual =
    named.length === 0 ? usualModels : usualModels.filter(({ kind }) => kind !== "chat");
  const listed = [...(models.length === 0 ? usual : models), ...named];
  const chatFirst = [
    ...listed.filter(({ kind }) => kind === "chat"),
    ...listed.filter(({ kind }) => kind !== "chat"),
  ];
  return {
    ...jsonReply(200, { object: "list", data: chatFirst.map(wireModel) }),
    answeredBy: "models",
    isMiss: models.length === 0 ? true : undefined,
  };
}

/** The models that scripts name in full, without those in the fixtures. */
function modelsNamedIn(
  scripts: readonly Pick<Script, "when">[],
  listed: readonly Model[],
): readonly Model[] {
  const known = new Set(listed.flatMap(({ id, variant = id }) => [id, variant]));
  const names = new Set(scripts.flatMap(({ when }) => when?.model ?? []));
  return [...names].filter((name) => !/[*?]/.test(name) && !known.has(name)).map(usualModel);
}

/** Which models exist. */
export interface ModelContext {
  readonly models: readonly Model[];
  /** Called with the id of a model that is not in the list. Undefined: such a model is refused. */
  readonly acceptModel?: ((id: string) => void) | undefined;
}

/**
 * Answers `GET /models/{id}`; `encodedId` is the rest of the path. If the fixtures have no models or accept unknown
 * ones, every id exists, as for a chat.
 */
export function retrieveModel(
  encodedId: string,
  { models, acceptModel }: ModelContext,
  profile: { readonly guides: boolean },
): Reply {
  const id = decodedOrSent(encodedId);
  const listed = models.find((known) => known.id === id);
  const isAccepted = models.length === 0 || acceptModel !== undefined;
  const model = listed ?? (isAccepted ? usualModel(id) : undefined);
  if (model === undefined) return errorReply(unknownModel(id, models), profile);
  const reply = jsonReply(200, wireModel(model));
  return { ...reply, answeredBy: "models", isMiss: listed === undefined ? true : undefined };
}

function usualModel(id: string): Model {
  const known = usualModels.find((model) => model.id === id);
  return known ?? { id, kind: "chat", owned_by: "backlot", created: 1_714_521_600 };
}

/** The properties of a model that a chat depends on. */
export interface ChatModel extends Required<Pick<Model, "id" | "contextLength">> {
  readonly reasoning: boolean | undefined;
}

/**
 * The model of a request: its id for replies, and its context length, which is Infinity if the fixtures do not give it.
 * A request may also name the variant. If the fixtures have no models or accept unknown ones, every id is accepted.
 */
export function findChatModel(
  id: string,
  { models, acceptModel }: ModelContext,
): Result<ChatModel, ChatError> {
  const model =
    models.find((candidate) => candidate.id === id) ??
    models.find((candidate) => candidate.variant === id);
  if (model?.kind === "chat") {
    const { id: name, variant = name, contextLength = Infinity, reasoning } = model;
    return ok({ id: variant, contextLength, reasoning });
  }
  if (model === undefined && (models.length === 0 || acceptModel !== undefined)) {
    if (models.length > 0) acceptModel?.(id);
    return ok({ id, contextLength: Infinity, reasoning: undefined });
  }
  const chatModels = models.filter(({ kind }) => kind === "chat");
  return failed(
    model === undefined
      ? unknownModel(id, chatModels)
      : chatErrors.notAChatModel(id, idsOf(chatModels)),
  );
}

function unknownModel(id: string, models: readonly Model[]): ChatError {
  return chatErrors.unknownModel(id, idsOf(models));
}

function idsOf(models: readonly Model[]): readonly string[] {
  return models.map(({ id }) => id);
}

function wireModel({ id, created, owned_by }: Model): object {
  return { id, object: "model", created, owned_by };
}
