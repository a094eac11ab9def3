import type {
  CompletionChoice,
  CompletionToolCall,
} from "../../core/chat/completion/completion.ts";
import type { TokenLogprob } from "../../core/chat/scripts/script.ts";
import type { DeltaPiece } from "../../core/chat/wire/timeline.ts";
import type { JsonObject } from "../../core/schema/json.ts";
import { hexId, randomText } from "./hex-id.ts";
import { itemEvents } from "./item-events.ts";
import type { ResponseEvent } from "./response-event.ts";

/** The options on which the items of an answer depend besides the pieces. */
export interface ItemOptions extends Pick<CompletionChoice, "callIds"> {
  readonly random: () => number;
  /** Whether the request asks for a summary of the reasoning. */
  readonly hasSummary: boolean;
  /** Whether the request asks for the encrypted reasoning, which it can send back. */
  readonly isEncrypted: boolean;
  /** Whether the request asks for the probabilities of tokens. */
  readonly hasLogprobs: boolean;
  /** More keys of messages, sent unchanged. */
  readonly messageExtra: JsonObject | undefined;
  /** Whether calls in a row are interleaved, so that several are open at once. */
  readonly callsComeInTurn: boolean;
  /** Whether random text is added to deltas, so that their lengths tell nothing. */
  readonly isObfuscated: boolean;
}

/** An item that is being written. */
interface OpenItem {
  readonly id: string;
  readonly kind: "reasoning" | "message" | "call";
  /** The item as far as it has been written. */
  readonly item: (status: string) => JsonObject;
  readonly add: (piece: DeltaPiece) => void;
  /** Closes the open part of the item. */
  readonly end: () => void;
}

/** An open item, and its index in the answer. */
interface PlacedItem extends OpenItem {
  readonly outputIndex: number;
}

interface Part {
  readonly kind: "content" | "refusal";
  text: string;
  readonly logprobs: TokenLogprob[];
}

/**
 * Puts the pieces of an answer together as output items, and reports each event on the way. A JSON answer uses only the
 * items, so that both forms have the same contents.
 */
export class OutputItems {
  readonly #options: ItemOptions;
  readonly #tell: (event: ResponseEvent) => void;
  /** The items by output index. An item is undefined while it is open. */
  readonly #items: (JsonObject | undefined)[] = [];
  /** The open items: one, or several calls that are interleaved. */
  readonly #open: Map<unknown, PlacedItem> = new Map();

  constructor(options: ItemOptions, tell: (event: ResponseEvent) => void = () => undefined) {
    this.#options = options;
    this.#tell = tell;
  }

  /** The items that are done. */
  get items(): readonly JsonObject[] {
    return this.#items.filter((item) => item !== undefined);
  }

  /** Adds a piece to its item, which begins with its first piece. */
  add(piece: DeltaPiece): void {
    const key = itemKey(piece);
    if (!this.#open.has(key)) {
      if (!this.#isInTurn(piece)) this.#close("completed");
      this.#begin(key, piece);
    }
    this.#open.get(key)?.add(piece);
  }

  /** Adds an item unchanged, except that it gets an id if it has none. */
  addItem(given: JsonObject): void {
    this.#close("completed");
    const { type } = given;
    const id = given["id"] ?? hexId(`${String(type)}_`, this.#options.random);
    const item = { id, ...given };
    for (const event of itemEvents(item, this.#items.length)) {
      const { delta } = event.fields;
      if (event.isDelta && typeof delta === "string") {
        const { delta: _, ...place } = event.fields;
        this.#sayDelta(event.type, place, delta);
      } else this.#tell(event);
    }
    this.#items.push(item);
  }

  /** Ends the open items. An answer with an empty text gets an empty message. */
  finish(status: "completed" | "incomplete", isEmptyText: boolean): void {
    if (isEmptyText && this.#items.length === 0) this.add({ kind: "content", text: "" });
    this.#close(status);
  }

  /** Whether a call may begin while other calls are open. */
  #isInTurn({ kind }: DeltaPiece): boolean {
    const isBesideCalls = [...this.#open.values()].every((open) => open.kind === "call");
    return this.#options.callsComeInTurn && kind === "toolCall" && isBesideCalls;
  }

  #begin(key: unknown, piece: DeltaPiece): void {
    const outputIndex = this.#items.length;
    this.#items.push(undefined);
    const open = this.#opened(piece, outputIndex);
    this.#open.set(key, { ...open, outputIndex });
    const item = open.item("in_progress");
    this.#say("response.output_item.added", { item, output_index: outputIndex });
  }

  #opened(piece: DeltaPiece, outputIndex: number): OpenItem {
    if (piece.kind === "reasoning") return this.#openReasoning(outputIndex);
    return "call" in piece
      ? this.#openCall(piece.call, outputIndex)
      : this.#openMessage(outputIndex);
  }

  #close(status: string): void {
    for (const { end, item: itemWith, outputIndex } of this.#open.values()) {
      end();
      const item = itemWith(status);
      this.#items[outputIndex] = item;
      this.#say("response.output_item.done", { item, output_index: outputIndex });
    }
    this.#open.clear();
  }

  #openReasoning(outputIndex: number): OpenItem {
    const { hasSummary, isEncrypted, random } = this.#options;
    const id = hexId("rs_", random);
    const place = { item_id: id, output_index: outputIndex };
    const secret = isEncrypted ? { encrypted_content: randomText(120, random) } : {};
    let summary: string | undefined;
    return {
      id,
      kind: "reasoning",
      item: () => ({
        id,
        type: "reasoning",
        ...secret,
        summary: summary === undefined ? [] : [summaryPart(summary)],
      }),
      add: ({ text }) => {
        if (!hasSummary) return;
        const at = { ...place, summary_index: 0 };
        if (summary === undefined) {
          this.#say("response.reasoning_summary_part.added", { ...at, part: summaryPart("") });
        }
        summary = (summary ?? "") + text;
        this.#sayDelta("response.reasoning_summary_text.delta", at, text);
      },
      end: () => {
        if (summary === undefined) return;
        const at = { ...place, summary_index: 0 };
        this.#say("response.reasoning_summary_text.done", { ...at, text: summary });
        this.#say("response.reasoning_summary_part.done", { ...at, part: summaryPart(summary) });
      },
    };
  }

  #openMessage(outputIndex: number): OpenItem {
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
    return {
      id,
      kind: "message",
      item: (status) => ({
        id,
        type: "message",
        status,
        content: parts.map(wirePart),
        role: "assistant",
        ...this.#options.messageExtra,
      }),
      add: (piece) => {
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
      end: endPart,
    };
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

  #openCall({ index, type, name }: CompletionToolCall, outputIndex: number): OpenItem {
    const { callIds, random } = this.#options;
    const events = callEvents[type];
    const id = hexId(events.prefix, random);
    const place = { item_id: id, output_index: outputIndex };
    let text = "";
    return {
      id,
      kind: "call",
      item: (status) => ({
        id,
        type: events.type,
        status,
        [events.key]: text,
        call_id: callIds[index] ?? "",
        name,
      }),
      add: (piece) => {
        // The first piece of a call has no text, unless the call comes as a whole.
        if (piece.text === "") return;
        text += piece.text;
        this.#sayDelta(`${events.event}.delta`, place, piece.text);
      },
      end: () => this.#say(`${events.event}.done`, { ...place, [events.key]: text }),
    };
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

/** A delta and the random text added to it have a multiple of this many characters together. */
const block = 16;

const callEvents = {
  function: {
    type: "function_call",
    prefix: "fc_",
    event: "response.function_call_arguments",
    key: "arguments",
  },
  custom: {
    type: "custom_tool_call",
    prefix: "ctc_",
    event: "response.custom_tool_call_input",
    key: "input",
  },
} as const;

/** The key that identifies the item of a piece: the call's index, else the kind. */
function itemKey(piece: DeltaPiece): unknown {
  if ("call" in piece) return piece.call.index;
  return piece.kind === "reasoning" ? "reasoning" : "message";
}

function summaryPart(text: string): JsonObject {
  return { type: "summary_text", text };
}

function wirePart({ kind, text, logprobs }: Part): JsonObject {
  return kind === "refusal"
    ? { type: "refusal", refusal: text }
    : { type: "output_text", annotations: [], logprobs: [...logprobs], text };
}
