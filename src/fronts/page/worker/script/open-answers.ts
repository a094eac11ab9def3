/** An answer that is not out yet. */
export interface OpenAnswer {
  /** Aborted when the page gives the request up, or the answer is broken off. */
  readonly signal: AbortSignal;
  /** The page's id. */
  readonly page: string;
  /** When it was begun, in milliseconds. */
  readonly since: number;
  readonly breakOff: () => void;
}

/** The answers that are not out yet, so that they can be broken off. */
export class OpenAnswers {
  readonly #open: Set<OpenAnswer> = new Set();

  begin({ request, clientId }: FetchEvent): OpenAnswer {
    const { signal } = request;
    const leaving = new AbortController();
    const answer: OpenAnswer = {
      signal: leaving.signal,
      page: clientId,
      since: performance.now(),
      breakOff: () => leaving.abort(),
    };
    if (signal.aborted) leaving.abort(signal.reason);
    else signal.addEventListener("abort", () => leaving.abort(signal.reason), { once: true });
    this.#open.add(answer);
    return answer;
  }

  end(answer: OpenAnswer): void {
    this.#open.delete(answer);
  }

  breakOffPage(page: string): void {
    for (const answer of this.#open) if (answer.page === page) answer.breakOff();
  }

  /** Breaks off what has been open for so many milliseconds. */
  breakOffLong(age: number): void {
    const now = performance.now();
    for (const answer of this.#open) if (now - answer.since >= age) answer.breakOff();
  }
}
