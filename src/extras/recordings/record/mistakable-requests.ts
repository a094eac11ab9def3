import type { Recording, SentRequest } from "../../../core/replay/cassette.ts";
import type { CompiledRules } from "../../../core/replay/recording-rules.ts";
import { canonicalJson, requestKey } from "../../../core/replay/request-key.ts";
import { fingerprint } from "./cassette-names.ts";

/** What a request was before redaction, and what it was answered. */
interface Known {
  readonly target: string;
  readonly answer: string;
}

/**
 * Finds requests that were different, and are one after what is secret was taken out of their path and query: replay
 * cannot tell them apart. Placeholders that could would have to say something of the secret, which may be as short as a
 * PIN.
 */
export class MistakableRequests {
  readonly #rules: CompiledRules;
  /** The first of those that are one, by what it is known by. */
  readonly #known: Map<string, Known> = new Map();

  constructor(rules: CompiledRules) {
    this.#rules = rules;
  }

  /** Whether a request is taken for another one that was answered otherwise. */
  isConfused({ method, path, query }: SentRequest, { request, answer }: Recording): boolean {
    if (path === request.path && query === (request.query ?? "")) return false;
    const key = fingerprint(requestKey(request, this.#rules));
    const sent = {
      target: fingerprint(requestKey({ method, path, query }, this.#rules)),
      answer: fingerprint(canonicalJson([answer.status, answer.body, answerText(answer)])),
    };
    const known = this.#known.get(key);
    if (known === undefined) this.#known.set(key, sent);
    return known !== undefined && known.target !== sent.target && known.answer !== sent.answer;
  }
}

/** A stream may come in other parts each time. */
function answerText({ stream = [] }: Recording["answer"]): string {
  return stream.map((part) => ("text" in part ? part.text : part.base64)).join("");
}
