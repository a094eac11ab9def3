import type { RecordedRequest } from "../../../core/replay/cassette.ts";
import type { CompiledRules } from "../../../core/replay/recording-rules.ts";
import { requestKey } from "../../../core/replay/request-key.ts";
import { fingerprint, messagesOf, modelOf } from "./cassette-names.ts";

/** A request to chat that has messages, and what it is known by. */
interface Asked {
  readonly request: RecordedRequest;
  readonly messages: readonly unknown[];
  readonly key: string;
}

/**
 * Finds the conversation that a request to chat belongs to. A request continues one whose messages its own begin with;
 * the same request again belongs to where it was first.
 */
export class Conversations<Conversation> {
  readonly #rules: CompiledRules;
  readonly #byRequest: Map<string, Conversation> = new Map();
  /** By messages, with the model and without. */
  readonly #byMessages: Map<string, Conversation> = new Map();
  /** How many messages those requests have: others need not be looked for. */
  readonly #counts: Set<number> = new Set();

  constructor(rules: CompiledRules) {
    this.#rules = rules;
  }

  /**
   * The conversation of a request, which can be continued from now on; a new one is made by the key of its first
   * request. Undefined: the request has no messages.
   */
  find(request: RecordedRequest, create: (key: string) => Conversation): Conversation | undefined {
    const messages = messagesOf(request);
    if (messages === undefined) return undefined;
    const key = requestKey(request, this.#rules);
    const asked = { request, messages, key };
    const known = this.#byRequest.get(fingerprint(key)) ?? this.#continued(asked);
    const conversation = known ?? create(key);
    this.#note(asked, conversation);
    return conversation;
  }

  #continued({ request, messages }: Asked): Conversation | undefined {
    // With the model first: several models may be asked the same.
    for (const model of new Set([modelOf(request), undefined])) {
      for (let count = messages.length - 1; count > 0; count--) {
        if (!this.#counts.has(count)) continue;
        const key = this.#keyOf(request, model, messages.slice(0, count));
        const conversation = this.#byMessages.get(key);
        if (conversation !== undefined) return conversation;
      }
    }
    return undefined;
  }

  #note({ request, messages, key }: Asked, conversation: Conversation): void {
    this.#byRequest.set(fingerprint(key), conversation);
    this.#counts.add(messages.length);
    for (const model of new Set([modelOf(request), undefined])) {
      this.#byMessages.set(this.#keyOf(request, model, messages), conversation);
    }
  }

  #keyOf(
    { method, path }: RecordedRequest,
    model: string | undefined,
    messages: readonly unknown[],
  ): string {
    const json = model === undefined ? { messages } : { model, messages };
    return fingerprint(requestKey({ method, path, body: { json } }, this.#rules));
  }
}
