import { asObject, type JsonObject } from "../../../../core/schema/json.ts";
import type { Remark } from "./choice-script.ts";
import { textOf } from "./json-answer.ts";
import type { SaidCall, SaidChoice, SaidDelta } from "./said.ts";

interface CallDraft {
  readonly key: unknown;
  id: string | undefined;
  name: string;
  arguments: string;
}

type TextKind = "content" | "reasoning" | "refusal";

/** A choice of a stream, put together delta by delta. */
export class GatheredChoice {
  readonly #texts: { [Kind in TextKind]?: string } = {};
  readonly #calls: CallDraft[] = [];
  readonly #deltas: SaidDelta[] = [];
  readonly #logprobs: { content: unknown[]; refusal: unknown[] } = { content: [], refusal: [] };
  finishReason: string | undefined;

  /** Takes what a chunk says of the choice. Returns whether it says anything. */
  add(choice: JsonObject, remark: Remark): boolean {
    const before = this.#deltas.length;
    const delta = asObject(choice["delta"]) ?? asObject(choice["message"]) ?? {};
    this.#addText("reasoning", delta["reasoning_content"] ?? delta["reasoning"]);
    this.#addText("content", delta["content"]);
    this.#addText("refusal", delta["refusal"]);
    const { tool_calls: calls } = delta;
    if (Array.isArray(calls)) for (const call of calls) this.#addCall(asObject(call) ?? {});
    if ((delta["function_call"] ?? null) !== null) {
      remark('"function_call" was left out, which no script can say');
    }
    this.#addLogprobs(asObject(choice["logprobs"]));
    this.finishReason = textOf(choice["finish_reason"]) ?? this.finishReason;
    return this.#deltas.length > before;
  }

  said(remark: Remark): SaidChoice {
    const { content, refusal } = this.#logprobs;
    const hasLogprobs = content.length > 0 || refusal.length > 0;
    return {
      content: this.#texts.content,
      reasoning: this.#texts.reasoning,
      refusal: this.#texts.refusal,
      calls: this.#calls.map((call) => sound(call, remark)),
      logprobs: hasLogprobs
        ? { content: nullIfEmpty(content), refusal: nullIfEmpty(refusal) }
        : undefined,
      finishReason: this.finishReason,
      deltas: this.#deltas,
    };
  }

  #addText(kind: TextKind, value: unknown): void {
    if (typeof value !== "string") return;
    // An empty text is how a choice is opened, with calls and refusals as with content.
    if (value === "" && kind !== "content") return;
    this.#texts[kind] = (this.#texts[kind] ?? "") + value;
    if (value !== "") this.#deltas.push({ kind, text: value });
  }

  #addCall(call: JsonObject): void {
    const key = call["index"] ?? call["id"];
    let place = this.#calls.findLastIndex((known) => known.key === key);
    if (place === -1) place = this.#calls.push({ key, id: undefined, name: "", arguments: "" }) - 1;
    const draft = this.#calls[place];
    if (draft === undefined) return;
    const called = asObject(call["function"]);
    draft.id ??= textOf(call["id"]);
    draft.name += textOf(called?.["name"]) ?? "";
    draft.arguments += textOf(called?.["arguments"]) ?? "";
    this.#deltas.push({ kind: "call", index: place });
  }

  #addLogprobs(given: JsonObject | undefined): void {
    for (const kind of ["content", "refusal"] as const) {
      const list = given?.[kind];
      if (Array.isArray(list)) this.#logprobs[kind].push(...(list as unknown[]));
    }
  }
}

function nullIfEmpty(list: readonly unknown[]): readonly unknown[] | null {
  return list.length === 0 ? null : list;
}

function sound(call: CallDraft, remark: Remark): SaidCall {
  if (call.name === "") remark('a tool call without a name is called "unnamed"');
  return { id: call.id, name: call.name || "unnamed", arguments: call.arguments };
}
