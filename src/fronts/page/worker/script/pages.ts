/** A page, or a worker of one, whose requests are answered. */
export interface Page {
  /** The session of its requests; undefined: the base session. */
  readonly session: string | undefined;
  /** Whether the session goes when the page does. */
  readonly isPassing: boolean;
}

/** The pages that have started the worker, by the ids that the browser gives them. */
export class Pages {
  readonly #byId: Map<string, Page>;

  constructor(pages: Iterable<readonly [id: string, page: Page]> = []) {
    this.#byId = new Map(pages);
  }

  get(id: string): Page | undefined {
    return this.#byId.get(id);
  }

  set(id: string, page: Page): void {
    this.#byId.set(id, page);
  }

  delete(id: string): void {
    this.#byId.delete(id);
  }

  get entries(): readonly (readonly [id: string, page: Page])[] {
    return [...this.#byId];
  }

  /** Drops the pages that are gone, and gives the sessions that went with them. */
  keepOnly(ids: ReadonlySet<string>): readonly string[] {
    const gone = this.entries.filter(([id]) => !ids.has(id));
    for (const [id] of gone) this.#byId.delete(id);
    const used = new Set(this.entries.map(([, { session }]) => session));
    return gone.flatMap(([, { session, isPassing }]) =>
      isPassing && session !== undefined && !used.has(session) ? [session] : [],
    );
  }
}
