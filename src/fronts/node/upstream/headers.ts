import type { CallHeaders } from "../../../core/http/call.ts";
import { connectionHeaders, joinedHeaders, type ReplyHeaders } from "../../../core/http/reply.ts";

/** Headers that are meant for Backlot and not for the service, or that are sent with new values. */
const ours = /^(?:host|content-length|expect|x-backlot-.*)$/;

/** Content codings that can be decompressed for the recording. */
const codings: ReadonlySet<string> = new Set(["gzip", "x-gzip", "deflate", "br", "identity"]);

/** The headers of the request to the service: a flat list of names and values. */
export function headersForUpstream(headers: CallHeaders): string[] {
  const passed: string[] = [];
  const dropped = namedIn(headers["connection"]);
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || connectionHeaders.has(name) || dropped.has(name)) continue;
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

/** The headers of the service's answer by lower-case name, from a flat list. */
export function headersOfUpstream(raw: readonly Buffer[]): ReplyHeaders {
  const lines: [string, string][] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = (raw[index]?.toString("latin1") ?? "").toLowerCase();
    lines.push([name, raw[index + 1]?.toString("latin1") ?? ""]);
  }
  const connection = lines.filter(([name]) => name === "connection").map(([, value]) => value);
  const dropped = namedIn(connection.join(","));
  return joinedHeaders(
    lines.filter(([name]) => !connectionHeaders.has(name) && !dropped.has(name)),
  );
}
