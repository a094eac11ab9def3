/** Events that tell one client that the set-up may have changed. */
export class LiveChanges {
  readonly #read: () => readonly unknown[];
  #marks: readonly unknown[];

  /** `read` gives values of which at least one differs after a change of the set-up. */
  constructor(read: () => readonly unknown[]) {
    this.#read = read;
    this.#marks = read();
  }

  /** The event, if the set-up may have changed since the last call; else empty. */
  next(): string {
    const before = this.#marks;
    this.#marks = this.#read();
    const isSame =
      before.length === this.#marks.length && before.every((mark, at) => mark === this.#marks[at]);
    return isSame ? "" : "event: changed\ndata: {}\n\n";
  }
}
