import { asObject, isObject, type JsonObject, type JsonPath } from "../../../core/schema/json.ts";
import type { Imported } from "./imported.ts";
import { importAnswers, type ShownAnswer } from "./shown-answers.ts";

/** Whether a value is a collection of Postman, as it is exported or as its API gives it. */
export function isPostman(value: JsonObject): boolean {
  const { info, item } = collectionOf(value).value;
  return isObject(info) && Array.isArray(item) && ("schema" in info || "_postman_id" in info);
}

/** The tables of a collection, made from the lists in its saved answers. */
export function importPostman(given: JsonObject): Imported {
  const { value, path } = collectionOf(given);
  const answers: ShownAnswer[] = [];
  const told: { path: JsonPath; message: string }[] = [];
  addItems(value["item"], [...path, "item"], { answers, told });
  return importAnswers(answers, [], told);
}

function collectionOf(value: JsonObject): { readonly value: JsonObject; readonly path: JsonPath } {
  const inner = asObject(value["collection"]);
  return inner === undefined ? { value, path: [] } : { value: inner, path: ["collection"] };
}

/** The deepest level of folders that is read. */
const deepest = 50;

function addItems(
  items: unknown,
  path: JsonPath,
  found: {
    readonly answers: ShownAnswer[];
    readonly told: { path: JsonPath; message: string }[];
  },
): void {
  if (!Array.isArray(items) || path.length > deepest * 2) return;
  for (const [index, one] of items.entries()) {
    const item = asObject(one) ?? {};
    const at = [...path, index];
    if (Array.isArray(item["item"])) addItems(item["item"], [...at, "item"], found);
    const answers: readonly unknown[] = Array.isArray(item["response"]) ? item["response"] : [];
    if (item["request"] !== undefined && answers.length === 0) {
      const name = JSON.stringify(String(item["name"]).slice(0, 60));
      found.told.push({
        path: at,
        message: `the request ${name} was left out: no answer is saved with it`,
      });
    }
    for (const [place, answer] of answers.entries()) {
      found.answers.push({
        path: [...at, "response", place],
        ...answerOf(asObject(answer) ?? {}, item),
      });
    }
  }
}

function answerOf(answer: JsonObject, item: JsonObject): Omit<ShownAnswer, "path"> {
  const { code, body, originalRequest } = answer;
  const request = asObject(originalRequest) ?? asObject(item["request"]) ?? {};
  const { method } = request;
  return {
    method: typeof method === "string" ? method : "GET",
    url: addressOf(request["url"] ?? item["request"]),
    status: typeof code === "number" ? code : 200,
    body: typeof body === "string" ? body : undefined,
  };
}

/** The address of a request, which is written as a text or in parts. */
function addressOf(url: unknown): string {
  if (typeof url === "string") return url;
  const { raw, path } = asObject(url) ?? {};
  if (Array.isArray(path)) return `/${path.map(String).join("/")}`;
  return typeof raw === "string" ? raw : "/";
}
