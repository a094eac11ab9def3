// What a server has to know, said as plainly as can be: rows in a map, scripts, counters and planned faults in lists.

export interface Item {
  readonly id: number;
  readonly name: string;
  readonly n: number | null;
  readonly tag: string | null;
}

/** What a planned fault does to the next requests of an interface. */
export type FaultKind = "refuse" | "reset" | "hang" | "delay";

export interface PlannedFault {
  readonly interface: "tables" | "chat";
  readonly kind: FaultKind;
  readonly left: number;
}

/** What requests can change, and snapshots, forks and exports keep. */
export interface State {
  readonly items: ReadonlyMap<number, Item>;
  readonly faults: readonly PlannedFault[];
  /** Texts that a script added at run time answers, by its name. */
  readonly scripts: ReadonlyMap<string, string>;
  /** How often the counting script has answered. */
  readonly count: number;
  /** Whether it was put in place as a whole, of which tables and scripts are only reset together. */
  readonly isImported: boolean;
}

/** What the journal has to say of a request. */
export interface Asked {
  readonly method: string;
  /** 0: no answer came. Undefined: the client did not wait for it. */
  readonly status: number | undefined;
  /** Whether it reached the server: of a client that left nobody can tell. */
  readonly isSure: boolean;
}

/** A session as the model has it. */
export interface ModelSession {
  state: State;
  /** By the number of the step, which each request carries in a header. */
  readonly journal: Map<string, Asked>;
}

/** Settings that the fixtures of a world have. */
export interface World {
  readonly rowsLimit?: number;
  readonly profiles?: { readonly tables: "starbasedb" };
}

/** Bytes of a row as `rowsLimit` counts them. Only the text of `tag` differs. */
const rowBytes = { least: 138, most: 149 } as const;

/** The oracle: one server with its sessions and snapshots. */
export class WorldModel {
  readonly world: World;
  /** What a reset goes back to. */
  pristine: State;
  /** Whether it is what the process exported, whose tables may say more than those of the fixtures. */
  isExported = false;
  readonly sessions = new Map<string, ModelSession>();
  readonly snapshots = new Map<string, State>();
  /** Requests whose clients have gone: they may come to any session that has the name by then, or never arrive. */
  readonly left = new Set<string>();
  /** Streams whose clients have not read them to the end. */
  readonly open = new Set<string>();

  constructor(pristine: State, world: World) {
    this.world = world;
    this.pristine = pristine;
    this.sessions.set("", { state: pristine, journal: new Map() });
  }

  /** Whether tables answer as the service does: it changes no row that is not there, and a PUT changes what it names. */
  get isService(): boolean {
    return this.world.profiles !== undefined;
  }

  /** A session begins as a copy of the base session when it is first used. */
  session(id: string): ModelSession {
    const known = this.sessions.get(id);
    if (known !== undefined) return known;
    const base = this.sessions.get("");
    if (base === undefined) throw new Error("There is no base session.");
    const made = { state: base.state, journal: new Map<string, Asked>() };
    this.sessions.set(id, made);
    return made;
  }

  /** What a session has, or would begin with: nothing begins by a look at it. */
  peek(id: string): State {
    return (this.sessions.get(id) ?? this.session("")).state;
  }

  /** Whether there may be no room for so many rows more. */
  mayBeFull(added: number): boolean {
    const rows = this.#states().reduce((sum, { items }) => sum + items.size, added);
    return rows * rowBytes.most > (this.world.rowsLimit ?? Infinity);
  }

  /** Whether there are surely more rows than there is room for: equal ones may be shared. */
  isOverfull(): boolean {
    const rows = this.#states().flatMap(({ items }) => [...items.values()]);
    const different = new Set(rows.map((row) => JSON.stringify(row)));
    return different.size * rowBytes.least > (this.world.rowsLimit ?? Infinity);
  }

  #states(): readonly State[] {
    const sessions = [...this.sessions.values()].map(({ state }) => state);
    return [this.pristine, ...sessions, ...this.snapshots.values()];
  }

  /** Fixtures with these rows are loaded anew. Journals stay, and so does what the new fixtures say nothing new of. */
  loadAnew(items: State["items"]): void {
    const fixed = this.pristine;
    this.isExported = false;
    const base = this.session("");
    const isSame = JSON.stringify([...fixed.items]) === JSON.stringify([...items]);
    this.pristine = { items, faults: [], scripts: new Map(), count: 0, isImported: false };
    const carried = (old: State): State => {
      const added = [...old.scripts].filter(([name]) => !fixed.scripts.has(name));
      return {
        ...this.pristine,
        items: isSame ? old.items : items,
        faults: fixed.faults.length === 0 ? old.faults : [],
        scripts: new Map(added),
      };
    };
    // A state that was put in goes: that session begins as the base session then is.
    for (const session of this.sessions.values()) {
      const begins = session === base ? this.pristine : base.state;
      session.state = session.state.isImported ? begins : carried(session.state);
    }
    for (const [name, kept] of this.snapshots) {
      if (isSame && !kept.isImported) this.snapshots.set(name, carried(kept));
      else this.snapshots.delete(name);
    }
  }

  /** The process has begun again: there is the base session and nothing else. */
  beginAnew(pristine: State): void {
    this.pristine = pristine;
    this.sessions.clear();
    this.snapshots.clear();
    this.sessions.set("", { state: pristine, journal: new Map() });
  }
}

/** Empties a journal. What had no answer by then may still end, and be told of. */
export function emptied({ journal }: ModelSession): void {
  for (const [step, asked] of journal) {
    if (asked.isSure && asked.status !== 0) journal.delete(step);
    else journal.set(step, { ...asked, isSure: false });
  }
}

/** The first planned fault for an interface, and what is planned after it has acted. */
export function takeFault(
  state: State,
  name: PlannedFault["interface"],
): { readonly kind: FaultKind | undefined; readonly state: State } {
  const at = state.faults.findIndex((fault) => fault.interface === name);
  const fault = state.faults[at];
  if (fault === undefined) return { kind: undefined, state };
  const faults =
    fault.left === 1
      ? state.faults.toSpliced(at, 1)
      : state.faults.with(at, { ...fault, left: fault.left - 1 });
  return { kind: fault.kind, state: { ...state, faults } };
}

export function withItem(state: State, item: Item): State {
  return { ...state, items: new Map([...state.items, [item.id, item]]) };
}

export function withoutItem(state: State, id: number): State {
  const items = new Map(state.items);
  items.delete(id);
  return { ...state, items };
}

/** Whether another row has the name, which is unique. */
export function isTaken({ items }: State, name: string, id?: number): boolean {
  return [...items.values()].some((item) => item.name === name && item.id !== id);
}

/** The rows in the order in which a table without a sort gives them. */
export function rowsOf({ items }: State): readonly Item[] {
  return [...items.values()].toSorted((one, other) => one.id - other.id);
}
