import type { Answer } from "./answer.ts";
import { type Drift, nothingThere } from "./drift.ts";
import { mediaType } from "./media-type.ts";

type Headers = Answer["headers"];

/** A header that clients act upon, and what of it is compared. */
interface ComparedHeader {
  readonly name: string;
  readonly tell: (headers: Headers) => string | undefined;
}

const compared: readonly ComparedHeader[] = [
  { name: "content-type", tell: (headers) => mediaType(headers.get("content-type")) },
  { name: "retry-after", tell: (headers) => presence(headers, "retry-after") },
  { name: "x-ratelimit-*", tell: rateLimits },
  { name: "location", tell: (headers) => presence(headers, "location") },
  { name: "allow", tell: allowed },
  { name: "www-authenticate", tell: schemes },
];

/** How the headers that matter differ. */
export function compareHeaders(service: Headers, emulator: Headers): readonly Drift[] {
  return compared.flatMap(({ name, tell }) => {
    const [given = nothingThere, expected = nothingThere] = [tell(service), tell(emulator)];
    if (given === expected) return [];
    return [{ place: `header.${name}`, service: given, emulator: expected }];
  });
}

/** That it is there: its value is another one each time. */
function presence(headers: Headers, name: string): string | undefined {
  return headers.has(name) ? "a value" : undefined;
}

function rateLimits(headers: Headers): string | undefined {
  const names = [...headers.keys()].filter((name) => name.startsWith("x-ratelimit-"));
  return names.length === 0 ? undefined : names.toSorted().join(", ");
}

function allowed(headers: Headers): string | undefined {
  const methods = headers.get("allow")?.split(",");
  return methods
    ?.map((method) => method.trim().toUpperCase())
    .toSorted()
    .join(", ");
}

/** The first word: what follows names a realm. */
function schemes(headers: Headers): string | undefined {
  return headers.get("www-authenticate")?.trim().split(/[\s,]/, 1).join("").toLowerCase();
}
