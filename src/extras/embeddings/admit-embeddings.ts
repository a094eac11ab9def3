import type { ChatContext } from "../../core/chat/context.ts";
import { type ChatError, chatErrors } from "../../core/chat/errors.ts";
import { requestCounter } from "../../core/chat/tokens/exact-limit.ts";
import { loadTokenizer } from "../../core/chat/tokens/load-tokenizer.ts";
import { checkBody } from "../../core/chat/request/check-body.ts";
import { receiveBody } from "../../core/chat/request/receive-body.ts";
import { failed, ok, type Result } from "../../core/errors/result.ts";
import type { Call } from "../../core/http/call.ts";
import { asObject } from "../../core/schema/json.ts";
import { type EmbeddingModel, findEmbeddingModel } from "./embedding-model.ts";
import { embeddingErrors, mostTokens } from "./errors.ts";
import { type Inputs, readInputs } from "./read-inputs.ts";
import { embeddingsBody } from "./request-schema.ts";
import { textsOfTokens } from "./texts-of-tokens.ts";

/** A valid request for embeddings that its model can answer. */
export interface AdmittedEmbeddings {
  readonly texts: readonly string[];
  /** The number of tokens of all texts together. */
  readonly tokens: number;
  readonly model: EmbeddingModel;
  /** How many numbers of each vector to return. */
  readonly size: number;
  readonly encoding: "float" | "base64";
}

/**
 * Reads a call's request, or returns its first problem, in this order: content type, JSON, missing arguments, unknown
 * ones, wrong types or values, the input, the model, the dimensions, the length.
 */
export async function admitEmbeddings(
  call: Call,
  context: ChatContext,
): Promise<Result<AdmittedEmbeddings, ChatError>> {
  const rules = await context.profile.rules();
  const received = await receiveBody(call, rules, context);
  if (!received.ok) return received;
  const body = asObject(received.value);
  if (body === undefined) return failed(chatErrors.notAnObject(received.value));
  const wrong = checkBody(embeddingsBody, body, { missing: rules.missing });
  if (wrong !== undefined) return failed(wrong);
  const inputs = readInputs(body["input"]);
  if (!inputs.ok) return inputs;
  const found = findEmbeddingModel(String(body["model"]), context);
  if (!found.ok) return found;
  const model = found.value;
  const size = sizeFor(body["dimensions"], model);
  if (!size.ok) return size;
  const counted = await countTokens(inputs.value, model, context);
  if (!counted.ok) return counted;
  const encoding = body["encoding_format"] === "base64" ? "base64" : "float";
  return ok({ ...counted.value, model, size: size.value, encoding });
}

function sizeFor(dimensions: unknown, model: EmbeddingModel): Result<number, ChatError> {
  if (typeof dimensions !== "number") return ok(model.size);
  if (!model.isShortened) return failed(embeddingErrors.neverShortened(model.id));
  return dimensions > model.size
    ? failed(embeddingErrors.tooManyDimensions(dimensions, model.size))
    : ok(dimensions);
}

type Counted = Pick<AdmittedEmbeddings, "texts" | "tokens">;

/** Counts the tokens of the texts. Refuses texts that are too long. */
async function countTokens(
  inputs: Inputs,
  { longestText }: EmbeddingModel,
  { tokenizer: name }: ChatContext,
): Promise<Result<Counted, ChatError>> {
  const count = requestCounter(await loadTokenizer(name));
  const counts = inputs.items.map((item) => (typeof item === "string" ? count(item) : item.length));
  const tooLong = counts.findIndex((tokens) => tokens > longestText);
  if (tooLong !== -1) {
    const param = inputs.isList ? `input[${tooLong}]` : "input";
    return failed(embeddingErrors.inputTooLong(param, counts[tooLong] ?? 0, longestText));
  }
  const tokens = counts.reduce((sum, one) => sum + one, 0);
  if (tokens > mostTokens) return failed(embeddingErrors.tooManyTokens(tokens));
  const texts = await textsOfTokens(inputs, name);
  return texts.ok ? ok({ texts: texts.value, tokens }) : texts;
}
