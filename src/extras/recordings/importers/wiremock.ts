import { fromBase64 } from "../../../core/http/base64.ts";
import { showText } from "../../../core/errors/show.ts";
import { asObject, isObject, type JsonObject } from "../../../core/schema/json.ts";
import type { Imported } from "./imported.ts";
import type { ReadAttached } from "./recorded-entries.ts";
import { importAnswers, type ShownAnswer } from "./shown-answers.ts";

/** The tables of WireMock's mappings, from a file with one mapping or a list of them. */
export async function importWireMock(
  given: JsonObject,
  readAttached: ReadAttached,
): Promise<Imported> {
  const answers: ShownAnswer[] = [];
  for (const { mapping, path } of mappingsIn(given)) {
    answers.push({ path, ...(await answerOf(mapping, readAttached)) });
  }
  return importAnswers(answers, []);
}

/** The mappings of a file, each with its place. */
export function mappingsIn(
  given: JsonObject,
): readonly { readonly mapping: JsonObject; readonly path: readonly (string | number)[] }[] {
  const { mappings } = given;
  if (!Array.isArray(mappings)) return isMapping(given) ? [{ mapping: given, path: [] }] : [];
  return mappings.flatMap((mapping: unknown, index) =>
    isObject(mapping) && isMapping(mapping) ? [{ mapping, path: ["mappings", index] }] : [],
  );
}

/** Whether a value is a mapping or a file of mappings. */
export function isWireMock(value: JsonObject): boolean {
  const { mappings } = value;
  const all: readonly unknown[] = Array.isArray(mappings) ? mappings : [value];
  return all.length > 0 && all.every((one) => isObject(one) && isMapping(one));
}

function isMapping({ request, response }: JsonObject): boolean {
  return (
    isObject(request) &&
    isObject(response) &&
    Object.keys(request).some((key) => key.startsWith("url"))
  );
}

async function answerOf(
  { request, response }: JsonObject,
  readAttached: ReadAttached,
): Promise<Omit<ShownAnswer, "path">> {
  const asked = asObject(request) ?? {};
  const given = asObject(response) ?? {};
  const { method, url, urlPath, urlPathTemplate, urlPathPattern, urlPattern } = asked;
  const address = [url, urlPath, urlPathTemplate].find((one) => typeof one === "string");
  const { status, fault } = given;
  const head = {
    method: typeof method === "string" ? method.toUpperCase() : "ANY",
    url: String(address ?? urlPathPattern ?? urlPattern),
    status: typeof status === "number" ? status : 200,
  };
  if (address === undefined) return { ...head, body: undefined, problem: "its path is a pattern" };
  if (fault !== undefined) return { ...head, body: undefined, problem: "it is a fault" };
  return { ...head, ...(await bodyOf(given, readAttached)) };
}

async function bodyOf(
  { jsonBody, body, base64Body, bodyFileName: file }: JsonObject,
  readAttached: ReadAttached,
): Promise<Pick<ShownAnswer, "body" | "problem">> {
  if (typeof file === "string") {
    const bytes = await readAttached(file);
    if (bytes !== undefined) return { body: new TextDecoder().decode(bytes) };
    return { body: undefined, problem: `there is no file ${showText(file)} in __files` };
  }
  const bytes = typeof base64Body === "string" ? fromBase64(base64Body) : undefined;
  const text = bytes === undefined ? undefined : new TextDecoder().decode(bytes);
  return { body: jsonBody ?? body ?? text };
}
