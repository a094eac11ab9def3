import type { ScriptProblem } from "./check-script.ts";
import { type JsonFormat, misfit, readJsonFormat } from "./json-format.ts";
import { asObject, isPresent } from "../request/read.ts";
import { hasTemplates } from "./script-templates.ts";
import type { Script, ScriptChoice, When } from "./script.ts";

type Path = ScriptProblem["path"];

/** Contents that do not fit the form that the script's own `when` asks for, where no template decides them. */
export async function checkFormat(script: Script): Promise<readonly ScriptProblem[]> {
  const format = formatIn(script.when);
  if (format === undefined) return [];
  const problems: ScriptProblem[] = [];
  for (const { choice, path } of choicesOf(script)) {
    const said = contentOf(choice, path);
    const problem = said === undefined ? undefined : await misfit(said.text, format);
    if (said !== undefined && problem !== undefined) {
      const message =
        `the content ${problem}. Requests that the script's "when" lets through ask for another; ` +
        'change one of the two, or say why it ends so early with "finishReason"';
      problems.push({ path: said.path, message });
    }
  }
  return problems;
}

/** The form that all requests ask for that a script answers; undefined where that need not be JSON. */
function formatIn({ request = {} }: When = {}): JsonFormat | undefined {
  const format = asObject(request["response_format"]) ?? {};
  const type = format["type"] ?? request["response_format.type"];
  const schema =
    request["response_format.json_schema.schema"] ??
    asObject(request["response_format.json_schema"])?.["schema"] ??
    readJsonFormat(format).schema;
  if (schema !== undefined) return { schema };
  return type === "json_object" || type === "json_schema" ? { schema: undefined } : undefined;
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
