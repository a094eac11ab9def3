import { fromBase64 } from "../../../core/http/base64.ts";
import { asObject, isObject, type JsonObject } from "../../../core/schema/json.ts";
import { archiveBody, archiveHeaders, type RecordedEntry } from "./recorded-entries.ts";

/** Whether a value is a cassette of VCR for Ruby or Python. */
export function isVcr(value: JsonObject): boolean {
  const interactions = interactionsIn(value).list;
  const [first] = interactions;
  const { request, response } = asObject(first) ?? {};
  const { uri, url } = asObject(request) ?? {};
  if (interactions.length === 0) return Array.isArray(value["http_interactions"]);
  return isObject(response) && (typeof uri === "string" || typeof url === "string");
}

function interactionsIn(value: JsonObject): {
  readonly key: string;
  readonly list: readonly unknown[];
} {
  const key = Array.isArray(value["http_interactions"]) ? "http_interactions" : "interactions";
  const list: unknown = value[key];
  return { key, list: Array.isArray(list) ? list : [] };
}

/** The exchanges of a cassette of VCR. */
export function vcrEntries(value: JsonObject): readonly RecordedEntry[] {
  const { key, list } = interactionsIn(value);
  return list.map((one, index) => {
    const { request, response, recorded_at: at } = asObject(one) ?? {};
    const asked = asObject(request) ?? {};
    const answer = asObject(response) ?? {};
    const { method, uri, url } = asked;
    return {
      path: [key, index],
      entry: {
        startedDateTime: typeof at === "string" ? at : undefined,
        request: {
          method: String(method).toUpperCase(),
          url: uri ?? url,
          headers: archiveHeaders(asked["headers"]),
          postData: bodyOf(asked),
        },
        response: {
          status: statusOf(answer),
          headers: archiveHeaders(answer["headers"]),
          content: bodyOf(answer),
        },
      },
    };
  });
}

/** The code of a status, which is a number or an object with the code. */
function statusOf({ status, status_code: code }: JsonObject): unknown {
  return asObject(status)?.["code"] ?? status ?? code;
}

/** A body, which is written as text under several names, as bytes, or as parsed JSON. */
function bodyOf({ body, content, parsed_body: parsed }: JsonObject): object {
  if (parsed !== undefined && !isPresentBody(body)) return archiveBody(parsed);
  const given = body ?? content;
  if (!isObject(given) || given instanceof Uint8Array) return archiveBody(given);
  const { string, base64_string: packed, state } = given;
  if (typeof packed === "string") return archiveBody(fromBase64(packed.replaceAll(/\s/g, "")));
  // The state of a Python file object: its contents, and the reading position.
  if (Array.isArray(state)) return archiveBody(state[0]);
  return archiveBody("string" in given ? string : given);
}

function isPresentBody(body: unknown): boolean {
  if (body === undefined || body === null || body === "") return false;
  return !isObject(body) || (body["string"] !== undefined && body["string"] !== "");
}
