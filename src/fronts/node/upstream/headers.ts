import type { CallHeaders } from "../../../core/http/call.ts";
import type { ReplyHeaders } from "../../../core/http/reply.ts";

/** Connection headers (RFC 9110, 7.6.1), besides those that `connection` names. */
const ofConnections: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Headers meant for us instead of the service, and those that are sent with new values. */
const ours = /^(?:host|content-length|expect|x-backlot-.*)$/;

/** Content codings that can be decompressed for the recording. */
const codings: ReadonlySet<string> = new Set(["gzip", "x-gzip", "deflate", "br", "identity"]);

/** The headers of the request to the service: a flat list of names and values. */
export function headersForUpstream(headers: CallHeaders): string[] {
  const passed: string[] = [];
  const dropped = namedIn(headers["connection"]);
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || ofConnections.has(name) || dropped.has(name)) continue;
    if (ours.test(name)) continue;
    passed.push(name, name === "accept-encoding" ? knownCodings(value) : value);
  }
  return passed;
}

function namedIn(connection = ""): ReadonlySet<string> {
  const names = connection.split(",").map((name) => name.trim().toLowerCase());
  return new Set(names);
}

function knownCodings(accepted: string): string {
  const known = accepted.split(",").filter((coding) => {
    const [name = ""] = coding.split(";");
    return codings.has(name.trim().toLowerCase());
  });
  return known.length === 0 ? "identity" : known.join(",").trim();
}

/** The headers of the service's answer, a flat list, for the client: by lower-case name. */
export function headersOfUpstream(raw: readonly Buffer[]): ReplyHeaders {
  const lines: [string, string][] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = (raw[index]?.toString("latin1") ?? "").toLowerCase();
    lines.push([name, raw[index + 1]?.toString("latin1") ?? ""]);
  }
  const connection = lines.filter(([name]) => name === "connection").map(([, value]) => value);
  const dropped = namedIn(connection.join(","));
  const passed = new Map<string, string>();
  for (const [name, value] of lines) {
    if (ofConnections.has(name) || dropped.has(name)) continue;
    const before = passed.get(name);
    if (before === undefined) passed.set(name, value);
    else if (name === "set-cookie") passed.set(spellingBeside(name, passed), value);
    else passed.set(name, `${before}, ${value}`);
  }
  return Object.fromEntries(passed);
}

/**
 * The only header that cannot be joined into one line (RFC 6265, 3). A reply has one value per name, so further
 * cookies use the name in another case: `Set-cookie`, `sEt-cookie`. Clients do not care.
 */
function spellingBeside(name: string, taken: ReadonlyMap<string, unknown>): string {
  for (let bits = 1; bits < 2 ** name.length; bits++) {
    const letters = Array.from(name, (letter, index) =>
      (bits >> index) % 2 === 1 ? letter.toUpperCase() : letter,
    );
    const spelling = letters.join("");
    if (!taken.has(spelling)) return spelling;
  }
  return name;
}

/** The headers of an answer for its recording, by lower-case name. */
export function headersToRecord(passed: ReplyHeaders): ReplyHeaders {
  const recorded = new Map<string, string>();
  for (const [spelling, value] of Object.entries(passed)) {
    const name = spelling.toLowerCase();
    const before = recorded.get(name);
    recorded.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(recorded);
}
