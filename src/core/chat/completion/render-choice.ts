import { isTemplate, type Templates } from "../../template/templates.ts";
import { isPresent } from "../../schema/json.ts";
import { hasTemplates } from "../scripts/script-templates.ts";
import type { ScriptChoice, ScriptChunk, ScriptToolCall } from "../scripts/script.ts";
import type { Tokenizer } from "../tokens/tokenizer.ts";
import {
  type CompletionToolCall,
  countTokens,
  type Step,
  type TextKind,
  type TokenCount,
} from "./completion.ts";

/** What a choice says, rendered and counted. */
export interface RenderedChoice {
  readonly steps: readonly Step[];
  readonly tokens: TokenCount;
}

interface KnownChoice extends RenderedChoice {
  readonly tokenizer: Tokenizer;
}

/** What choices without templates say, which is always the same. */
const known = new WeakMap<ScriptChoice, KnownChoice>();

const lasting = new WeakSet<readonly Step[]>();

/** Whether these very steps come again with the next answer, so that it is worth keeping what is made of them. */
export function areLasting(steps: readonly Step[]): boolean {
  return lasting.has(steps);
}

/** What scripted choices say, where all of them said the same before; else undefined. */
export function renderedBefore(
  choices: readonly ScriptChoice[],
  tokenizer: Tokenizer,
): readonly RenderedChoice[] | undefined {
  const before: RenderedChoice[] = [];
  for (const choice of choices) {
    const rendered = known.get(choice);
    if (rendered?.tokenizer !== tokenizer) return undefined;
    before.push(rendered);
  }
  return before;
}

/** What scripted choices say, in turn. Rejects with `ERR_TEMPLATE_INVALID` when one of their templates fails. */
export async function renderChoices(
  choices: readonly ScriptChoice[],
  tokenizer: Tokenizer,
  context: ComposeContext,
): Promise<readonly RenderedChoice[]> {
  const rendered: RenderedChoice[] = [];
  for (const choice of choices) rendered.push(await renderChoice(choice, tokenizer, context));
  return rendered;
}

async function renderChoice(
  choice: ScriptChoice,
  tokenizer: Tokenizer,
  context: ComposeContext,
): Promise<RenderedChoice> {
  const steps = await composeSteps(choice, context);
  const rendered = { steps, tokens: countTokens(steps, tokenizer), tokenizer };
  if (!hasTemplates(choice)) {
    known.set(choice, rendered);
    lasting.add(steps);
  }
  return rendered;
}

/** What composing needs besides the choice. */
interface ComposeContext {
  readonly templates: Templates;
  /** What templates see. Asked for only when there is a template. */
  readonly scope: () => object;
}

/**
 * What a choice says, in the order in which a stream brings it: reasoning, content (or the chunks), refusal,
 * tool calls. One template after the other, so that the same seed gives the same values.
 */
async function composeSteps(
  reply: ScriptChoice,
  { templates, scope }: ComposeContext,
): Promise<Step[]> {
  let seen: object | undefined;
  const context: ComposeContext = { templates, scope: () => (seen ??= scope()) };
  const steps: Step[] = [];
  let calls = 0;
  const nextCall = async (call: ScriptToolCall): Promise<Step> => ({
    kind: "toolCall",
    call: await composeCall(call, calls++, context),
  });
  const say = async (kind: TextKind, template: string, whole = false): Promise<void> => {
    const text = await render(template, context);
    // An empty content is one; an empty refusal is none, and could not be told from none in a stream.
    if (text !== "" || whole || kind === "content") steps.push({ kind, text, whole });
  };

  if (reply.reasoning !== undefined) await say("reasoning", reply.reasoning);
  if (typeof reply.content === "string") await say("content", reply.content);
  else if (isPresent(reply.content)) {
    await say("content", JSON.stringify(await evaluateAll(reply.content, context)));
  }
  for (const chunk of reply.chunks ?? []) {
    if (typeof chunk === "string") await say("content", chunk, true);
    else if ("reasoning" in chunk) await say("reasoning", chunk.reasoning, true);
    else if ("toolCall" in chunk) steps.push(await nextCall(chunk.toolCall));
    else steps.push(silentStep(chunk));
  }
  if (reply.refusal !== undefined) await say("refusal", reply.refusal);
  for (const call of reply.toolCalls ?? []) steps.push(await nextCall(call));
  return steps;
}

type SilentChunk = Extract<
  ScriptChunk,
  { wait: number } | { comment: string } | { raw: string } | { fault: unknown }
>;

function silentStep(chunk: SilentChunk): Step {
  if ("wait" in chunk) return { kind: "wait", ms: chunk.wait };
  if ("comment" in chunk) return { kind: "comment", text: chunk.comment };
  if ("raw" in chunk) return { kind: "raw", text: chunk.raw };
  const { fault } = chunk;
  return { kind: "fault", fault: typeof fault === "string" ? { kind: fault } : fault };
}

async function composeCall(
  call: ScriptToolCall,
  index: number,
  context: ComposeContext,
): Promise<CompletionToolCall> {
  const given = call.arguments ?? {};
  const text =
    typeof given === "string"
      ? await render(given, context)
      : JSON.stringify(await evaluateAll(given, context));
  return { index, scriptedId: call.id, name: call.name, arguments: text };
}

async function render(text: string, { templates, scope }: ComposeContext): Promise<string> {
  return isTemplate(text) ? templates.render(text, scope()) : text;
}

/** The same JSON value with each text in it that is a template replaced by its value, a number say. */
async function evaluateAll(value: unknown, context: ComposeContext): Promise<unknown> {
  if (typeof value === "string") {
    return isTemplate(value) ? context.templates.evaluate(value, context.scope()) : value;
  }
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) items.push(await evaluateAll(item, context));
    return items;
  }
  const entries: [string, unknown][] = [];
  for (const [key, item] of Object.entries(value)) {
    entries.push([key, await evaluateAll(item, context)]);
  }
  return Object.fromEntries(entries);
}
