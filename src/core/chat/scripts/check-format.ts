import type { ScriptProblem } from "./script-problem.ts";
import { type JsonFormat, misfit, readJsonFormat } from "./json-format.ts";
import { asObject, isPresent } from "../request/read.ts";
import { hasTemplates } from "./script-templates.ts";
import type { Script, ScriptChoice, When } from "./script.ts";

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
