/** Something that is due at a time. */
export interface Due {
  due: number;
}

/** A binary heap that gives back the earliest entry first: adding and taking cost the logarithm of its size. */
export class DueQueue<Entry extends Due> {
  readonly #entries: Entry[] = [];

  get size(): number {
    return this.#entries.length;
  }

  /** The entry that is due first. */
  first(): Entry | undefined {
    return this.#entries[0];
  }

  add(entry: Entry): void {
    const entries = this.#entries;
    let place = entries.length;
    entries.push(entry);
    while (place > 0) {
      const above = (place - 1) >> 1;
      const parent = entries[above];
      if (parent === undefined || parent.due <= entry.due) break;
      entries[place] = parent;
      place = above;
    }
    entries[place] = entry;
  }

  /** Takes the earliest entry out. */
  takeFirst(): Entry | undefined {
    const first = this.#entries[0];
    const last = this.#entries.pop();
    if (last !== undefined && this.#entries.length > 0) this.#sink(last);
    return first;
  }

  /** Lets `entry` go down from the top to where nothing below it is due earlier. */
  #sink(entry: Entry): void {
    const entries = this.#entries;
    let place = 0;
    for (;;) {
      const left = entries[2 * place + 1];
      const right = entries[2 * place + 2];
      const rightIsEarlier = left !== undefined && right !== undefined && right.due < left.due;
      const child = rightIsEarlier ? right : left;
      if (child === undefined || child.due >= entry.due) break;
      entries[place] = child;
      place = 2 * place + (rightIsEarlier ? 2 : 1);
    }
    entries[place] = entry;
  }
}
