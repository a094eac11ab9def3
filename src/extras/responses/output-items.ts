import type { CompletionChoice } from "../../core/chat/completion/completion.ts";
import type { TokenLogprob } from "../../core/chat/scripts/script.ts";
import type { DeltaPiece } from "../../core/chat/wire/timeline.ts";
import type { JsonObject } from "../../core/schema/json.ts";
import { hexId, randomText } from "./hex-id.ts";
import { itemEvents } from "./item-events.ts";
import type { ResponseEvent } from "./response-event.ts";

/** What the items of an answer depend on besides the pieces. */
export interface ItemOptions extends Pick<CompletionChoice, "callIds"> {
  readonly random: () => number;
  /** The names of the request's custom tools. */
  readonly customTools: readonly string[];
  /** Whether the request asks for a summary of the reasoning. */
  readonly hasSummary: boolean;
  /** Whether it asks for the reasoning in a form that it can send back. */
  readonly isEncrypted: boolean;
  /** Whether it asks for the probabilities of tokens. */
  readonly hasLogprobs: boolean;
  /** Whether deltas are filled up, so that their lengths tell nothing. */
  readonly isObfuscated: boolean;
}

interface OpenItem {
  readonly id: string;
  readonly kind: "reasoning" | "message" | "call";
  readonly outputIndex: number;
  /** The item as it is so far. */
  readonly item: (status: string) => JsonObject;
  /** Closes what is open within it. */
  readonly end: () => void;
}

interface Part {
  readonly kind: "content" | "refusal";
  text: string;
  readonly logprobs: TokenLogprob[];
}

/**
 * Lays the pieces of an answer out as output items, and tells each event on the way. A JSON answer uses the items
 * alone, so that both forms are the same.
 */
export class OutputItems {
  readonly items: JsonObject[] = [];
  readonly #options: ItemOptions;
  readonly #tell: (event: ResponseEvent) => void;
  #open: OpenItem | undefined;
  #add: ((piece: DeltaPiece) => void) | undefined;

  constructor(options: ItemOptions, tell: (event: ResponseEvent) => void = () => undefined) {
    this.#options = options;
    this.#tell = tell;
  }

  /** Adds a piece to the item that it belongs to, and begins that if need be. */
  add(piece: DeltaPiece): void {
    const kind = itemKind(piece);
    if (this.#open?.kind !== kind || piece.kind === "toolCall") {
      this.#close("completed");
      this.#begin(piece);
    }
    this.#add?.(piece);
  }

  /** Adds an item as it is, with an id if it has none. */
  addItem(given: JsonObject): void {
    this.#close("completed");
    const { type } = given;
    const id = given["id"] ?? hexId(`${String(type)}_`, this.#options.random);
    const item = { id, ...given };
    for (const event of itemEvents(item, this.items.length)) {
      const { delta } = event.fields;
      if (event.isDelta && typeof delta === "string") {
        const { delta: _, ...place } = event.fields;
        this.#sayDelta(event.type, place, delta);
      } else this.#tell(event);
    }
    this.items.push(item);
  }

  /** Ends the last item. An answer with an empty text has an empty message. */
  finish(status: "completed" | "incomplete", isEmptyText: boolean): void {
    if (isEmptyText && this.items.length === 0 && this.#open === undefined)
      this.add({ kind: "content", text: "" });
    this.#close(status);
  }

  #begin(piece: DeltaPiece): void {
    const outputIndex = this.items.length;
    if (piece.kind === "toolCall") this.#beginCall(piece.call, outputIndex);
    else if (piece.kind === "reasoning") this.#beginReasoning(outputIndex);
    else this.#beginMessage(outputIndex);
  }

  #close(status: string): void {
    const open = this.#open;
    if (open === undefined) return;
    open.end();
    const item = open.item(status);
    this.items.push(item);
    this.#say("response.output_item.done", { item, output_index: open.outputIndex });
    this.#open = undefined;
    this.#add = undefined;
  }

  #start(open: OpenItem, add: (piece: DeltaPiece) => void): void {
    this.#open = open;
    this.#add = add;
    const item = open.item("in_progress");
    this.#say("response.output_item.added", { item, output_index: open.outputIndex });
  }

  #beginReasoning(outputIndex: number): void {
    const { hasSummary, isEncrypted, random } = this.#options;
    const id = hexId("rs_", random);
    const place = { item_id: id, output_index: outputIndex };
    const secret = isEncrypted ? { encrypted_content: randomText(120, random) } : {};
    let summary: string | undefined;
    this.#start(
      {
        id,
        kind: "reasoning",
        outputIndex,
        item: () => ({
          id,
          type: "reasoning",
          ...secret,
          summary: summary === undefined ? [] : [summaryPart(summary)],
        }),
        end: () => {
          if (summary === undefined) return;
          const at = { ...place, summary_index: 0 };
          this.#say("response.reasoning_summary_text.done", { ...at, text: summary });
          this.#say("response.reasoning_summary_part.done", { ...at, part: summaryPart(summary) });
        },
      },
      (piece) => {
        if (!hasSummary || !("text" in piece)) return;
        const at = { ...place, summary_index: 0 };
        if (summary === undefined) {
          this.#say("response.reasoning_summary_part.added", { ...at, part: summaryPart("") });
        }
        summary = (summary ?? "") + piece.text;
        this.#sayDelta("response.reasoning_summary_text.delta", at, piece.text);
      },
    );
  }

  #beginMessage(outputIndex: number): void {
    const id = hexId("msg_", this.#options.random);
    const parts: Part[] = [];
    const placeOf = (index: number): JsonObject => ({
      content_index: index,
      item_id: id,
      output_index: outputIndex,
    });
    const endPart = (): void => {
      const part = parts.at(-1);
      if (part !== undefined) this.#endPart(part, placeOf(parts.length - 1));
    };
    this.#start(
      {
        id,
        kind: "message",
        outputIndex,
        item: (status) => ({
          id,
          type: "message",
          status,
          content: parts.map(wirePart),
          role: "assistant",
        }),
        end: endPart,
      },
      (piece) => {
        if (piece.kind !== "content" && piece.kind !== "refusal") return;
        let part = parts.at(-1);
        if (part?.kind !== piece.kind) {
          endPart();
          part = { kind: piece.kind, text: "", logprobs: [] };
          parts.push(part);
          const place = placeOf(parts.length - 1);
          this.#say("response.content_part.added", { ...place, part: wirePart(part) });
        }
        this.#addToPart(part, piece, placeOf(parts.length - 1));
      },
    );
  }

  #addToPart(
    part: Part,
    { text, logprobs = [] }: { readonly text: string; readonly logprobs?: readonly TokenLogprob[] },
    place: JsonObject,
  ): void {
    part.text += text;
    if (part.kind === "refusal") {
      this.#sayDelta("response.refusal.delta", place, text);
      return;
    }
    const listed = this.#options.hasLogprobs ? logprobs : [];
    part.logprobs.push(...listed);
    if (text !== "")
      this.#sayDelta("response.output_text.delta", { ...place, logprobs: listed }, text);
  }

  #endPart(part: Part, place: JsonObject): void {
    const { kind, text, logprobs } = part;
    if (kind === "refusal") this.#say("response.refusal.done", { ...place, refusal: text });
    else this.#say("response.output_text.done", { ...place, logprobs, text });
    this.#say("response.content_part.done", { ...place, part: wirePart(part) });
  }

  #beginCall(
    { index, name }: Extract<DeltaPiece, { kind: "toolCall" }>["call"],
    outputIndex: number,
  ): void {
    const { callIds, customTools, random } = this.#options;
    const isCustom = customTools.includes(name);
    const id = hexId(isCustom ? "ctc_" : "fc_", random);
    const place = { item_id: id, output_index: outputIndex };
    const events = isCustom ? customEvents : functionEvents;
    let text = "";
    this.#start(
      {
        id,
        kind: "call",
        outputIndex,
        item: (status) => ({
          id,
          type: events.type,
          status,
          [events.key]: text,
          call_id: callIds[index] ?? "",
          name,
        }),
        end: () => this.#say(`${events.event}.done`, { ...place, [events.key]: text }),
      },
      (piece) => {
        if (piece.kind !== "arguments") return;
        text += piece.text;
        this.#sayDelta(`${events.event}.delta`, place, piece.text);
      },
    );
  }

  #sayDelta(type: string, place: JsonObject, delta: string): void {
    const { isObfuscated, random } = this.#options;
    const filled = Math.ceil((delta.length + 1) / block) * block - delta.length;
    const obfuscation = isObfuscated ? { obfuscation: randomText(filled, random) } : {};
    this.#tell({ type, fields: { ...place, delta, ...obfuscation }, isDelta: true });
  }

  #say(type: string, fields: JsonObject): void {
    this.#tell({ type, fields, isDelta: false });
  }
}

/** A delta and what fills it up have a multiple of so many characters together. */
const block = 16;

const functionEvents = {
  type: "function_call",
  event: "response.function_call_arguments",
  key: "arguments",
} as const;

const customEvents = {
  type: "custom_tool_call",
  event: "response.custom_tool_call_input",
  key: "input",
} as const;

function itemKind({ kind }: DeltaPiece): OpenItem["kind"] {
  if (kind === "reasoning") return "reasoning";
  return kind === "content" || kind === "refusal" ? "message" : "call";
}

function summaryPart(text: string): JsonObject {
  return { type: "summary_text", text };
}

function wirePart({ kind, text, logprobs }: Part): JsonObject {
  return kind === "refusal"
    ? { type: "refusal", refusal: text }
    : { type: "output_text", annotations: [], logprobs: [...logprobs], text };
}
