import { type Step, textIn } from "../completion/completion.ts";
import { asObject, isPresent, type JsonObject } from "../../schema/json.ts";
import { cut } from "../../errors/show.ts";
import type { ScriptProblem } from "./check-script.ts";
import type { Misfit } from "./json-schema.ts";
import { hasTemplates } from "./script-templates.ts";
import type { Script, ScriptChoice, When } from "./script.ts";

/** The form that a `response_format` asks for. */
interface JsonFormat {
  /** Undefined where any JSON object will do. */
  readonly schema: unknown;
}

/** The form in a `response_format` of type `json_object` or `json_schema`. */
function readJsonFormat(format: JsonObject): JsonFormat {
  return { schema: asObject(format["json_schema"])?.["schema"] };
}

/**
 * What is wrong with a text that a choice says; undefined when it fits. A schema that is not `trusted` judges only
 * what takes little time, since nothing can stop it.
 */
async function misfit(
  text: string,
  { schema }: JsonFormat,
  { trusted }: { readonly trusted: boolean },
): Promise<Misfit | undefined> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { blames: "content", problem: "is not JSON" };
  }
  if (schema === undefined) {
    const isObject = asObject(value) !== undefined;
    return isObject ? undefined : { blames: "content", problem: "is no JSON object" };
  }
  if (!trusted) {
    const { whyTooSlow } = await import("./json-schema.ts");
    const problem = whyTooSlow(schema, text.length);
    if (problem !== undefined) return { blames: "schema", problem };
  }
  const { findMisfit } = await import("./json-schema.ts");
  return findMisfit(value, schema);
}

type Path = ScriptProblem["path"];

/** Contents that do not fit the form that the script's own `when` asks for, where no template decides them. */
export async function checkFormat(script: Script): Promise<readonly ScriptProblem[]> {
  const wanted = formatIn(script.when);
  if (wanted === undefined) return [];
  const problems: ScriptProblem[] = [];
  for (const { choice, path } of choicesOf(script)) {
    const said = contentOf(choice, path);
    if (said === undefined) continue;
    const found = await misfit(said.text, wanted.format, { trusted: true });
    if (found === undefined) continue;
    if (found.blames === "schema") {
      const message = `the schema ${found.problem}`;
      return [{ path: ["when", "request", ...wanted.path], message }];
    }
    const message =
      `the content ${found.problem}. This script's own "when" asks for that format: change one of the two, ` +
      'or say with a "finishReason" why the content ends so early';
    problems.push({ path: said.path, message });
  }
  return problems;
}

/** What a `when` asks for, and where below its `request` it says so. */
interface WantedFormat {
  readonly format: JsonFormat;
  readonly path: Path;
}

/** The form that all requests ask for that a script answers; undefined where that need not be JSON. */
function formatIn({ request = {} }: When = {}): WantedFormat | undefined {
  const whole = asObject(request["response_format"]) ?? {};
  const dotted = ["response_format.json_schema.schema", "response_format.json_schema"] as const;
  const places: readonly { readonly schema: unknown; readonly path: Path }[] = [
    { schema: request[dotted[0]], path: [dotted[0]] },
    { schema: asObject(request[dotted[1]])?.["schema"], path: [dotted[1], "schema"] },
    {
      schema: readJsonFormat(whole).schema,
      path: ["response_format", "json_schema", "schema"],
    },
  ];
  const given = places.find(({ schema }) => schema !== undefined);
  if (given !== undefined) return { format: { schema: given.schema }, path: given.path };
  const type = whole["type"] ?? request["response_format.type"];
  const isJson = type === "json_object" || type === "json_schema";
  return isJson ? { format: { schema: undefined }, path: [] } : undefined;
}

interface PlacedChoice {
  readonly choice: ScriptChoice;
  readonly path: Path;
}

function choicesOf({ replies }: Script): readonly PlacedChoice[] {
  return replies.flatMap((reply, index): readonly PlacedChoice[] => {
    const path = ["replies", index];
    return (
      reply.choices?.map((choice, place) => ({ choice, path: [...path, "choices", place] })) ?? [
        { choice: reply, path },
      ]
    );
  });
}

interface PlacedText {
  readonly text: string;
  readonly path: Path;
}

/** The content of a choice; undefined where it has none, only rendering tells, or it is said to be incomplete. */
function contentOf(choice: ScriptChoice, path: Path): PlacedText | undefined {
  const { content, chunks, finishReason = "stop" } = choice;
  if (finishReason !== "stop" || hasTemplates({ content: content ?? null, chunks: chunks ?? [] }))
    return undefined;
  if (isPresent(content)) {
    const text = typeof content === "string" ? content : JSON.stringify(content);
    return { text, path: [...path, "content"] };
  }
  const said = chunks?.filter((chunk) => typeof chunk === "string") ?? [];
  return said.length === 0 ? undefined : { text: said.join(""), path: [...path, "chunks"] };
}

/**
 * For the log: what of an answer does not fit the form that was asked for; empty when all does. The form comes from
 * the request, which must not be able to hold up the server with it.
 */
export async function describeMisfit(
  choices: readonly { readonly steps: readonly Step[]; readonly isCut: boolean }[],
  format: JsonObject,
): Promise<string> {
  const wanted = readJsonFormat(format);
  for (const { steps, isCut } of choices) {
    const text = textIn(steps, "content");
    // What was cut short is no longer what it was, and its finish reason says so.
    if (text === null || isCut) continue;
    const found = await misfit(text, wanted, { trusted: false });
    if (found?.blames === "content") return ` (its content ${cut(found.problem)})`;
    if (found !== undefined) {
      return ` (its content cannot be judged: the schema ${cut(found.problem)})`;
    }
  }
  return "";
}
