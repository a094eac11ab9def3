import type { RecordedRequest } from "../../../core/replay/cassette.ts";
import { bodyText } from "../../../core/replay/recorded-body.ts";
import type { Placeholders } from "./placeholders.ts";

/** Why a request cannot be asked of a service: something in it was taken out that the answer hangs on. */
export function whyUnsendable(
  room: "chat" | "rest",
  request: RecordedRequest,
  placeholders: Placeholders,
): string | undefined {
  const found =
    placeholders.in(decoded(request.path)) ??
    placeholders.in(decoded(request.query ?? "")) ??
    first(Object.values(request.headers ?? {}), placeholders) ??
    inBody(room, request, placeholders);
  return found === undefined ? undefined : `its ${found} was taken out when it was recorded`;
}

function first(texts: readonly string[], placeholders: Placeholders): string | undefined {
  return texts.map((text) => placeholders.in(text)).find((found) => found !== undefined);
}

/** As a query is decoded. What cannot be is left as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

function inBody(
  room: "chat" | "rest",
  { body }: RecordedRequest,
  placeholders: Placeholders,
): string | undefined {
  if (body === undefined) return undefined;
  if ("json" in body) return inJson(body.json, { room, placeholders, place: [] });
  return placeholders.in(bodyText(body) ?? "");
}

interface Search {
  readonly room: "chat" | "rest";
  readonly placeholders: Placeholders;
  readonly place: readonly string[];
}

function inJson(value: unknown, search: Search): string | undefined {
  if (typeof value === "string") {
    return isAnyText(search) ? undefined : search.placeholders.in(value);
  }
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, below] of Object.entries(value)) {
    const found = inJson(below, { ...search, place: [...search.place, key] });
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What of a chat request can be any text, so that a placeholder is as good as what it stands for. */
const anyText: readonly RegExp[] = [
  /^(?:user|safety_identifier|prompt_cache_key)$/,
  /^metadata\./,
  /^messages\.\d+\.(?:content|name|refusal|reasoning_content|tool_call_id)$/,
  /^messages\.\d+\.content\.\d+\.(?:text|refusal)$/,
  /^messages\.\d+\.tool_calls\.\d+\.(?:id|function\.arguments)$/,
  /^tools\.\d+\.function\.description$/,
];

function isAnyText({ room, place }: Search): boolean {
  const path = place.join(".");
  return room === "chat" && anyText.some((pattern) => pattern.test(path));
}
