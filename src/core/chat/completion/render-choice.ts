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
  /** Whether these very steps come again with the next answer, so that it is worth keeping what is made of them. */
  readonly isLasting: boolean;
}

/** What choices without templates say, which is always the same. */
const known = new WeakMap<ScriptChoice, RenderedChoice & { readonly tokenizer: Tokenizer }>();

/** What composing needs besides the choice. */
interface ComposeContext {
  readonly tokenizer: Tokenizer;
  readonly templates: Templates;
  /** What templates see. Asked for only when there is a template. */
  readonly scope: () => object;
}

/** What a scripted choice says. Rejects with `ERR_TEMPLATE_INVALID` when one of its templates fails. */
export async function renderChoice(
  choice: ScriptChoice,
  context: ComposeContext,
): Promise<RenderedChoice> {
  const { tokenizer } = context;
  const before = known.get(choice);
  if (before?.tokenizer === tokenizer) return before;
  const steps = await composeSteps(choice, context);
  const isLasting = !hasTemplates(choice);
  const rendered = { steps, tokens: countTokens(steps, tokenizer), tokenizer, isLasting };
  if (isLasting) known.set(choice, rendered);
  return rendered;
}

/**
 * What a choice says, in the order in which a stream brings it: reasoning, content (or the chunks), refusal,
 * tool calls. One template after the other, so that the same seed gives the same values.
 */
async function composeSteps(reply: ScriptChoice, context: ComposeContext): Promise<Step[]> {
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
