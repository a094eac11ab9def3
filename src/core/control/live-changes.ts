/** That the set-up may have changed, as events for one client. */
export class LiveChanges {
  readonly #read: () => readonly unknown[];
  #marks: readonly unknown[];

  /** `read` gives what differs when the set-up has changed. */
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
