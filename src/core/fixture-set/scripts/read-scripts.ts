import { checkScript } from "../../chat/scripts/check-script.ts";
import { templatesOf, templateVariables } from "../../chat/scripts/script-templates.ts";
import type { Script, ScriptChoice, ScriptReply } from "../../chat/scripts/script.ts";
import { groupNamesOf } from "../../chat/matching/expressions.ts";
import { showText, showValue } from "../../errors/show.ts";
import type { TemplateText } from "../check-templates.ts";
import { check, type Findings } from "../../schema/schema.ts";
import { type ScriptInput, scriptSchema } from "../format/script-format.ts";
import type { JsonPath } from "../../schema/json.ts";
import { refuseRewritten } from "../json/json-copy.ts";

/** A script, and its templates with their places in the document. */
export interface ReadScript {
  readonly script: Script;
  readonly templates: readonly TemplateText[];
}

/** Reads the scripts of a document. `names` has names for scripts without one, by index. */
export function readScripts(
  value: unknown,
  names: readonly (string | undefined)[],
  findings: Findings,
): readonly ReadScript[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    findings.report(["chats"], `"chats" must be an array of scripts, but is ${showValue(value)}.`);
    return [];
  }
  const taken = new Set<string>();
  const scripts: ReadScript[] = [];
  for (const [index, item] of value.entries()) {
    const path = ["chats", index];
    const defaultName = names[index] ?? `chats-${index + 1}`;
    const read = readOneScript(item, { path, findings, defaultName });
    if (read === undefined) continue;
    const { name } = read.script;
    if (taken.has(name)) {
      const message = `Another script is called ${showText(name)}. Give each script its own "name".`;
      findings.report([...path, "name"], message);
    }
    taken.add(name);
    scripts.push(read);
  }
  return scripts;
}

/** Reads one script. If it is wrong, reports why and returns undefined. */
export function readOneScript(
  value: unknown,
  {
    path,
    findings,
    defaultName,
  }: { readonly path: JsonPath; readonly findings: Findings; readonly defaultName: string },
): ReadScript | undefined {
  const input = check(scriptSchema, value, { path, findings });
  if (input === undefined) return undefined;
  refuseRewritten(input, path, findings);
  const replies = input.replies ?? (input.reply === undefined ? [] : [input.reply]);
  const [first, ...rest] = replies;
  if (first === undefined) return undefined;
  const { name = defaultName, when, times, after, count } = input;
  const script: Script = {
    name,
    ...(when === undefined ? {} : { when }),
    ...(times === undefined ? {} : { times }),
    replies: [first, ...rest],
    ...(after === undefined ? {} : { after }),
    ...(count === undefined ? {} : { count }),
  };
  const problems = checkScript(script);
  for (const problem of problems) {
    const place = placeIn(input, problem.path);
    findings.report([...path, ...place], sentence(problem.message, place));
  }
  for (const [index, reply] of replies.entries()) {
    checkReply(reply, [...path, ...placeIn(input, ["replies", index])], findings);
  }
  const templates = templatesOf(script).map((template) => ({
    text: template.text,
    path: [...path, ...placeIn(input, template.path)],
    variables: templateVariables,
    ...(problems.length > 0 ? {} : { members: () => membersFor(script) }),
  }));
  return { script, templates };
}

/** The variables of a script's templates. */
function membersFor({ when = {} }: Script): ReturnType<NonNullable<TemplateText["members"]>> {
  return { match: groupNamesOf(when), user: "text", model: "text", messages: "list" };
}

/** The place of a part of a script as written: the first of its replies may be written as `reply`. */
function placeIn({ replies }: ScriptInput, path: JsonPath): JsonPath {
  return path[0] === "replies" && replies === undefined ? ["reply", ...path.slice(2)] : path;
}

/** Turns a message of the check for scripts into a sentence, with its key in quotes. */
function sentence(message: string, path: JsonPath): string {
  const key = String(path.at(-1));
  const end = /[.?]$/.test(message) ? "" : ".";
  if (/^(?:has|is) /.test(message)) return `${showText(key)} ${message}${end}`;
  if (message.startsWith(`${key} `)) return `${showText(key)}${message.slice(key.length)}${end}`;
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}${end}`;
}

/** Keys that replace the usual reply, each with all keys that have an effect beside it, itself included. */
const besideOthers = {
  error: ["error", "headers", "pace", "fault"],
  body: ["body", "status", "headers", "pace", "fault"],
} as const;
/** The keys that `chunks` replaces, so that they have no effect beside it. */
const notBesideChunks: readonly string[] = ["toolCalls", "reasoning"];

/** Reports keys of a reply that have no effect together with others. */
function checkReply(reply: ScriptReply, path: JsonPath, findings: Findings): void {
  const instead = (["error", "body"] as const).find((key) => reply[key] !== undefined);
  if (instead === undefined) {
    checkChoice(reply, path, findings);
    for (const [index, choice] of (reply.choices ?? []).entries()) {
      checkChoice(choice, [...path, "choices", index], findings);
    }
    return;
  }
  const beside: readonly string[] = besideOthers[instead];
  for (const key of Object.keys(reply)) {
    if (!beside.includes(key)) report(key, instead, { path, findings });
  }
}

function checkChoice(choice: ScriptChoice, path: JsonPath, findings: Findings): void {
  if (choice.chunks === undefined) return;
  for (const key of Object.keys(choice)) {
    if (notBesideChunks.includes(key)) report(key, "chunks", { path, findings });
  }
}

function report(
  key: string,
  winner: string,
  { path, findings }: { readonly path: JsonPath; readonly findings: Findings },
): void {
  const message = `${showText(key)} has no effect beside "${winner}". Remove one of the two.`;
  findings.report([...path, key], message, { at: "key" });
}
