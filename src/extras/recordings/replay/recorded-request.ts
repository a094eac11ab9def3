import type { RecordedRequest, SentRequest } from "../../../core/recordings/cassette.ts";
import { recordRequestBody } from "../../../core/recordings/recorded-body.ts";
import type { CompiledRules } from "../../../core/recordings/recording-rules.ts";

/** A request in the form of a recorded one, with everything in it. */
export function asRecordedRequest(
  sent: SentRequest,
  { headers, sameRequest }: CompiledRules,
): RecordedRequest {
  return sameRequest(recordedRequest(sent, keptHeaders(sent, headers)));
}

/** The headers of some names that a request has. */
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

/** A request with these headers as a cassette has it: without what is empty. */
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
