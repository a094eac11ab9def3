import type { JsonObject } from "./chat-request.ts";
import type { ChatError } from "../errors.ts";

/** What reading a part of a request gives: its value, or the error to answer with. */
export type Read<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: ChatError };

/** A part that was read. */
export function taken<Value>(value: Value): Read<Value> {
  return { ok: true, value };
}

/** A part that is wrong. */
export function refused(error: ChatError): Read<never> {
  return { ok: false, error };
}

/** Whether a field is there. Clients send null for what they leave out. */
export function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** A value as a JSON object; undefined when it is none. */
export function asObject(value: unknown): JsonObject | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return value as JsonObject;
}
