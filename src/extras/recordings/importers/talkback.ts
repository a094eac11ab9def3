import { fromBase64 } from "../../../core/http/base64.ts";
import { asObject, isObject, type JsonObject } from "../../../core/schema/json.ts";
import { archiveBody, archiveHeaders, type RecordedEntry } from "./recorded-entries.ts";

/** Whether a value is a tape of talkback. */
export function isTalkback({ meta, req, res }: JsonObject): boolean {
  return isObject(meta) && isObject(req) && isObject(res) && typeof req["url"] === "string";
}

/** The exchange of a tape. */
export function talkbackEntries(tape: JsonObject): readonly RecordedEntry[] {
  const meta = asObject(tape["meta"]) ?? {};
  const { url, method, headers, body } = asObject(tape["req"]) ?? {};
  const answer = asObject(tape["res"]) ?? {};
  const host = typeof meta["host"] === "string" ? meta["host"] : "http://localhost";
  const { createdAt: at } = meta;
  return [
    {
      path: [],
      entry: {
        startedDateTime: typeof at === "string" ? at : undefined,
        request: {
          method: typeof method === "string" ? method.toUpperCase() : "GET",
          url: URL.canParse(String(url)) ? url : `${host.replace(/\/$/, "")}${String(url)}`,
          headers: archiveHeaders(headers),
          postData: bodyOf(body, meta["reqHumanReadable"]),
        },
        response: {
          status: answer["status"],
          headers: archiveHeaders(answer["headers"]),
          content: bodyOf(answer["body"], meta["resHumanReadable"]),
        },
      },
    },
  ];
}

/** The body of a request or an answer. A body that is not readable text is base64. */
function bodyOf(body: unknown, isReadable: unknown): object {
  const bytes = typeof body === "string" && isReadable !== true ? fromBase64(body) : undefined;
  return archiveBody(bytes ?? body);
}
