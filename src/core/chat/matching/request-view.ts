import type { CallHeaders } from "../../http/call.ts";
import {
  type ChatMessage,
  type ChatRequest,
  lastUserText,
  toolNameOf,
} from "../request/chat-request.ts";
import { TextForms } from "./text-matcher.ts";

/** A text takes some time however short it is: as much as so many characters do. */
const perText = 16;

/** What scripts are matched against. */
export interface Subject {
  readonly request: ChatRequest;
  readonly headers: CallHeaders;
}

/** A request as criteria look at it. What several scripts ask for is worked out once, when the first does. */
export class RequestView implements Subject {
  readonly request: ChatRequest;
  readonly headers: CallHeaders;
  #turn: number | undefined;
  #userTexts: readonly string[] | undefined;
  #systemTexts: readonly string[] | undefined;
  #allTexts: readonly string[] | undefined;
  #toolResult: ToolResult | undefined;
  #textForms: Map<string, TextForms> | undefined;
  readonly #mostCharacters: number;

  /** With `mostCharacters` no list of texts has more than that: the newest texts count, and their beginnings. */
  constructor({ request, headers }: Subject, mostCharacters: number = Infinity) {
    this.request = request;
    this.headers = headers;
    this.#mostCharacters = mostCharacters;
  }

  /** How many assistant messages there are. */
  get turn(): number {
    this.#turn ??= this.request.messages.filter(({ role }) => role === "assistant").length;
    return this.#turn;
  }

  /** The text of the last user message; none when there is no such message. */
  get userTexts(): readonly string[] {
    this.#userTexts ??= this.#newest(given(lastUserText(this.request)));
    return this.#userTexts;
  }

  get systemTexts(): readonly string[] {
    this.#systemTexts ??= this.#newest(
      this.request.messages
        .filter(({ role }) => role === "system" || role === "developer")
        .map(({ text }) => text),
    );
    return this.#systemTexts;
  }

  get allTexts(): readonly string[] {
    this.#allTexts ??= this.#newest(this.request.messages.map(({ text }) => text));
    return this.#allTexts;
  }

  /** The result of a tool that the last message is. */
  get toolResult(): ToolResult {
    if (this.#toolResult === undefined) {
      const found = toolResultOf(this.request);
      this.#toolResult = { ...found, texts: this.#newest(found.texts) };
    }
    return this.#toolResult;
  }

  /** A text of the request, to be compared with what scripts wanted. */
  formsOf(text: string): TextForms {
    const known = this.#textForms?.get(text);
    if (known !== undefined) return known;
    const seen = new TextForms(text);
    (this.#textForms ??= new Map()).set(text, seen);
    return seen;
  }

  #newest(texts: readonly string[]): readonly string[] {
    if (this.#mostCharacters === Infinity) return texts;
    const kept: string[] = [];
    let left = this.#mostCharacters;
    for (const text of texts.toReversed()) {
      if (left <= 0) break;
      kept.push(text.slice(0, left));
      left -= text.length + perText;
    }
    return kept.toReversed();
  }

  header(lowerCaseName: string): string | undefined {
    return Object.hasOwn(this.headers, lowerCaseName) ? this.headers[lowerCaseName] : undefined;
  }
}

/** The last message, when it is the result of a tool. */
interface ToolResult {
  readonly isThere: boolean;
  /** The tool's name; undefined when the message answers no known call. */
  readonly name: string | undefined;
  readonly texts: readonly string[];
}

function toolResultOf(request: ChatRequest): ToolResult {
  const last: ChatMessage | undefined = request.messages.at(-1);
  // `function` is the older name of the role.
  if (last?.role !== "tool" && last?.role !== "function") {
    return { isThere: false, name: undefined, texts: [] };
  }
  return { isThere: true, name: toolNameOf(request, last), texts: [last.text] };
}

function given(text: string | undefined): readonly string[] {
  return text === undefined ? [] : [text];
}
