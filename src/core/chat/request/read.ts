import type { JsonObject } from "./chat-request.ts";

/** Whether a field is there. Clients send null for what they leave out. */
export function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** A value as a JSON object; undefined when it is none. */
export function asObject(value: unknown): JsonObject | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return value as JsonObject;
}
