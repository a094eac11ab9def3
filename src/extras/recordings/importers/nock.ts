import { asObject, isObject } from "../../../core/schema/json.ts";
import {
  archiveBody,
  archiveHeaders,
  hexBytes,
  isHexText,
  type RecordedEntry,
} from "./recorded-entries.ts";
import { joinBytes } from "../../../core/http/bytes.ts";

/** Whether a value is a list that nock recorded. */
export function isNock(value: unknown): boolean {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  return list.length > 0 && list.every((one) => isObject(one) && "scope" in one && "path" in one);
}

/** The exchanges of a list that nock recorded. */
export function nockEntries(value: unknown): readonly RecordedEntry[] {
  return (Array.isArray(value) ? value : []).map((one: unknown, index) => {
    const { scope, path, method, body, status, response, reqheaders, ...more } =
      asObject(one) ?? {};
    const headers = archiveHeaders(more["rawHeaders"] ?? more["headers"]);
    return {
      path: [index],
      entry: {
        request: {
          method: typeof method === "string" ? method.toUpperCase() : "GET",
          url: `${String(scope).replace(/:(?:443|80)$/, "")}${String(path)}`,
          headers: archiveHeaders(reqheaders),
          postData: archiveBody(body === "" ? undefined : body),
        },
        response: {
          status,
          headers,
          content: contentOf(response, more["responseIsBinary"] === true),
        },
      },
    };
  });
}

/** The content of an answer. A packed one is a list of its pieces in hexadecimal digits. */
function contentOf(response: unknown, isBinary: boolean): object {
  if (typeof response === "string" && isBinary && isHexText(response)) {
    return archiveBody(hexBytes(response));
  }
  const isPacked =
    Array.isArray(response) &&
    response.length > 0 &&
    response.every((piece) => typeof piece === "string" && isHexText(piece));
  return isPacked
    ? archiveBody(joinBytes(response.map((piece) => hexBytes(String(piece)))))
    : archiveBody(response);
}
