import type { RecordedRequest, SentRequest } from "../../../core/recordings/cassette.ts";
import { recordRequestBody } from "../../../core/recordings/recorded-body.ts";
import type { CompiledRules } from "../../../core/recordings/recording-rules.ts";

/** A sent request in the form of a recorded one, with all of its parts. */
export function asRecordedRequest(
  sent: SentRequest,
  { headers, sameRequest }: CompiledRules,
): RecordedRequest {
  return sameRequest(recordedRequest(sent, keptHeaders(sent, headers)));
}

/** The request's headers with these names. */
export function keptHeaders(
  { headers }: Pick<SentRequest, "headers">,
  names: readonly string[],
): Readonly<Record<string, string>> {
  const kept = names.flatMap((name) => {
    const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(kept);
}

/** A request in the form of a cassette, with these headers and without empty parts. */
export function recordedRequest(
  { method, path, query, body: bytes }: Omit<SentRequest, "headers">,
  headers: Readonly<Record<string, string>>,
): RecordedRequest {
  const body = recordRequestBody(bytes);
  return {
    method,
    path,
    ...(query === "" ? {} : { query }),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(body === undefined ? {} : { body }),
  };
}
