import type { ChatError } from "../../core/chat/errors.ts";
import { failed, ok, type Result } from "../../core/errors/result.ts";
import { showTyped } from "../../core/errors/show.ts";
import { embeddingErrors, mostInputs } from "./errors.ts";

/** The texts whose vectors a request asks for. */
export interface Inputs {
  /** The texts, each as a text or as its tokens. */
  readonly items: readonly (string | readonly number[])[];
  /** Whether the request has a list, so that errors name the place of an item. */
  readonly isList: boolean;
}

/** Reads the argument `input`: a text, a list of texts, the tokens of one text, or a list of those. */
export function readInputs(value: unknown): Result<Inputs, ChatError> {
  if (isText(value)) return ok({ items: [value], isList: false });
  if (!Array.isArray(value)) return invalid(`it is ${show(value)}.`);
  const list: readonly unknown[] = value;
  const [first] = list;
  if (first === undefined) return invalid("it is an empty list.");
  if (list.length > mostInputs) return failed(embeddingErrors.tooManyInputs(list.length));
  if (list.every(isToken)) return ok({ items: [list], isList: false });
  if (list.every(isText) || list.every(isTokens)) return ok({ items: list, isList: true });
  const fits = fitsLike(first);
  const place = list.findIndex((item) => !fits(item));
  return invalid(`its item ${place} is ${show(list[place])}.`);
}

/** Makes the check for all items of a list. The first item decides what they must be. */
function fitsLike(first: unknown): (item: unknown) => boolean {
  if (typeof first === "number") return isToken;
  return Array.isArray(first) ? isTokens : isText;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isToken(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function isTokens(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.length > 0 && value.every(isToken);
}

function show(value: unknown): string {
  return value === "" ? "an empty text" : showTyped(value);
}

function invalid(problem: string): Result<never, ChatError> {
  return failed(embeddingErrors.invalidInput(problem));
}
