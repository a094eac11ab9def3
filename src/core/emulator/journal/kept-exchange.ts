import type { JournalEntry, KeptRequest, WireParts } from "../../control/journal-entry.ts";
import {
  bodyBytes,
  bodyText,
  type EntryScene,
  readableEntry,
  type RecordedExchange,
} from "./entry.ts";
import { redactHeaders } from "./redact-headers.ts";

/** An exchange of a journal, read no further than it is asked for. */
export class KeptExchange implements KeptRequest {
  readonly number: number;
  readonly #exchange: RecordedExchange;
  readonly #scene: EntryScene;

  constructor(exchange: RecordedExchange, scene: EntryScene) {
    this.number = exchange.number;
    this.#exchange = exchange;
    this.#scene = scene;
  }

  get id(): string {
    return String(this.number);
  }

  get at(): number {
    return this.#exchange.at;
  }

  get interface(): "rest" | "chat" {
    return this.#exchange.interface;
  }

  get method(): string {
    return this.#exchange.method;
  }

  get path(): string {
    return this.#exchange.path;
  }

  get status(): number {
    return this.#exchange.status;
  }

  readonly read = (): JournalEntry => readableEntry(this.#exchange, this.#scene);

  readonly wire = (): WireParts => ({
    body: bodyText(this.#exchange),
    bodyBytes: bodyBytes(this.#exchange),
    replyHeaders: redactHeaders(this.#exchange.replyHeaders, this.#scene.ownKeys),
  });
}
