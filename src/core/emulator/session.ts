import type { CassetteSet } from "../recordings/cassette.ts";
import type { ChatLoad } from "../chat/load.ts";
import type { GivenEmbedding } from "../chat/given-embedding.ts";
import type { Model } from "../chat/models.ts";
import { invalidOption } from "../errors/emulator-error.ts";
import { showText } from "../errors/show.ts";
import { createTemplates, type Templates } from "../template/templates.ts";
import { Journal, type Journals } from "./journal/journal.ts";
import type { DatabaseSnapshot } from "../store/database.ts";
import type { Snapshot, State, World } from "./state.ts";
import type { Observer } from "./observer.ts";
import { withoutKeys } from "./journal/redaction.ts";
import { tablesForTemplates } from "./template-tables.ts";
import { noSessions, type SharedTablesAdvice } from "./sockets/shared-tables.ts";
import type { SessionStart } from "./session-options.ts";
import type { Additions } from "./added-budget.ts";
import { worldAdditions } from "./additions.ts";
import { WaitingClients } from "./waiting-client.ts";

/** What a session needs of its emulator. */
export interface SessionContext {
  /** The time, in Unix time in milliseconds. */
  readonly now: () => number;
  /** How many entries each journal keeps. */
  readonly journalSize: number;
  /** The journals of all sessions. */
  readonly journals: Journals;
  /** The emulator's own keys, which no journal shows. */
  readonly ownKeys: readonly string[];
  /**
   * Present if the tables are shared by several processes: then states cannot be imported, and only the base session
   * exists.
   */
  readonly sharing: SharedTablesAdvice | undefined;
  /** The initial state, made from the fixtures. */
  readonly pristine: Snapshot;
}

/**
 * An isolated state: everything that requests can change, and their journal. Creating one costs the same whatever the
 * tables hold.
 */
export class Session {
  /** Undefined for the base session, which requests without an id use. */
  readonly id: string | undefined;
  journal: Journal;
  /** The clients of this process that wait for an answer, and keep the process running until they have it. */
  clients: WaitingClients = new WaitingClients();
  /** The running chats; undefined until the first one whose number is limited. */
  load: ChatLoad | undefined;
  ownKeys: readonly string[];
  /**
   * When the session was created or started over, in Unix time in milliseconds. Its journal has no earlier requests.
   */
  beganAt: number;
  /** Unix time in milliseconds. */
  lastUsedAt: number;
  /** The state made from the fixtures, which a reset restores. */
  readonly #own: World;
  #world: World;
  #templates: Templates | undefined;
  readonly #sharing: SharedTablesAdvice | undefined;
  readonly #pristine: Snapshot;
  readonly #journalSize: number;

  constructor(id: string | undefined, world: World, context: SessionContext) {
    const { now, journalSize, journals, ownKeys } = context;
    this.#sharing = context.sharing;
    this.#pristine = context.pristine;
    this.#journalSize = journalSize;
    this.id = id;
    this.ownKeys = ownKeys;
    this.#own = world;
    this.#world = world;
    this.journal = new Journal(this, journalSize, journals);
    this.beganAt = now();
    this.lastUsedAt = this.beganAt;
  }

  get state(): State {
    return this.#world.state;
  }

  get models(): readonly Model[] {
    return this.#world.models;
  }

  /** The vectors that fixtures give for some texts. */
  get embeddings(): readonly GivenEmbedding[] {
    return this.#world.embeddings;
  }

  /** The recordings. Undefined: none. */
  get cassettes(): CassetteSet | undefined {
    return this.#world.cassettes;
  }

  /** Resets to the state of `pristine`, with an empty journal. */
  reset(pristine: Snapshot): void {
    this.resetState(pristine);
    this.journal.clear();
  }

  /** Resets to the state of `pristine`, but keeps the journal. */
  resetState(pristine: Snapshot): void {
    this.clients.letGo();
    this.clients = new WaitingClients();
    this.become(this.#own);
    this.state.restore(pristine);
  }

  /** Continues the journal of the session of this name that the previous fixtures had. */
  succeed(before: Session): void {
    before.clients.letGo();
    // The journal may show keys of the previous fixtures.
    this.ownKeys = [...new Set([...this.ownKeys, ...before.ownKeys])];
    this.beganAt = before.beganAt;
    this.lastUsedAt = before.lastUsedAt;
    this.journal = before.journal;
    this.journal.passTo(this, this.#journalSize);
  }

  /** Releases what waits for the session, which no request can reach any more. */
  retire(): void {
    this.clients.letGo();
    this.journal.retire();
  }

  /** The session's time, in Unix time in milliseconds. */
  get now(): () => number {
    return this.#world.state.clock.now;
  }

  /** The rows of the fixtures as requests changed them, and those of an imported state. */
  peekRows(): readonly DatabaseSnapshot[] {
    return [this.#own.state.database.peek(), this.state.database.peek()];
  }

  /** Everything besides rows: that of the fixtures, as requests changed it, and that of an imported state. */
  peekAdditions(): readonly Additions[] {
    return this.isImported
      ? [worldAdditions(this.#own), worldAdditions(this.#world)]
      : [worldAdditions(this.#own)];
  }

  /** Rows by table as templates see them. */
  readonly rowsForTemplates = (): object => tablesForTemplates(this.state);

  /** A text without the emulator's own keys, apart from `known`, which is no secret. */
  withoutOwnKeys(text: string, known: string): string {
    return withoutKeys(
      text,
      this.ownKeys.filter((key) => key !== known),
    );
  }

  /** Everything that requests can change, as it is now. */
  snapshot(): Snapshot {
    const snapshot = this.state.snapshot();
    // A copy, since what is added to the state later is not part of the snapshot.
    return this.isImported ? { ...snapshot, imported: forked(this.#world) } : snapshot;
  }

  /**
   * Restores a snapshot of any session of this emulator. Throws, and changes nothing, for a snapshot of another one.
   */
  restore(snapshot: Snapshot): void {
    const { imported } = snapshot;
    this.state.added.recount();
    if (imported === undefined) {
      this.#own.state.restore(snapshot);
      this.become(this.#own);
      return;
    }
    if (imported.state.budget !== this.#own.state.budget) {
      throw invalidOption(
        "Cannot restore the state: the snapshot belongs to another emulator's imported state, or to fixtures that " +
          "were loaded before. Restore only snapshots of this emulator.",
      );
    }
    const state = imported.state.fork();
    state.restore(snapshot);
    this.become({ ...imported, state });
  }

  /** Whether the state was imported instead of coming from the fixtures. */
  get isImported(): boolean {
    return this.#world !== this.#own;
  }

  /** Replaces the state until the next reset. Throws if its tables are shared. */
  become(world: World): void {
    if (this.#sharing !== undefined && world !== this.#own) {
      throw invalidOption(
        "Cannot import the state: its tables are shared with other processes, which use the fixtures' tables. " +
          `Replace the rows of each table (PUT /__backlot/tables/{name}). ${this.#sharing.imports}`,
      );
    }
    // An import is final: the rows before it can be freed.
    if (world !== this.#own) this.#own.state.restore(this.#pristine);
    this.#world = world;
    this.#templates = undefined;
  }

  /** A session that starts as a copy of this one. */
  fork(id: string | undefined, context: SessionContext): Session {
    const session = new Session(id, forked(this.#own), context);
    if (this.isImported) session.become(forked(this.#world));
    return session;
  }

  /** Templates that draw from the session's own random numbers. */
  get templates(): Templates {
    this.#templates ??= createTemplates({ random: this.state.random, now: this.now });
    return this.#templates;
  }
}

/** A state that starts as a copy of another. */
function forked(world: World): World {
  return { ...world, state: world.state.fork() };
}

/** How many sessions an emulator keeps, and what they need. */
export interface SessionsOptions extends SessionContext {
  /** Beyond this number, the least recently used are dropped. */
  readonly maxSessions: number;
  /** Called when a session is dropped. */
  readonly warned: Observer["warned"];
}

/** The sessions of one emulator, by id. */
export class Sessions {
  readonly base: Session;
  readonly #options: SessionsOptions;
  /** In order of last use. */
  readonly #named: Map<string, Session> = new Map();
  /** Changes with each session that begins or is dropped. */
  version = 0;

  constructor(base: Session, options: SessionsOptions) {
    this.base = base;
    this.#options = options;
  }

  /**
   * Finds a session, or creates it as a copy of the base session. Without an id it is the base session. With `isUsed`
   * false, the session does not count as used, and a new one is not kept.
   */
  get(id: string | undefined, isUsed = true): Session {
    if (id === undefined) return this.base;
    const session = this.#named.get(id) ?? this.base.fork(id, this.#options);
    return isUsed ? this.#use(id, session) : session;
  }

  /**
   * Starts a session, and replaces one with that id. Throws, and changes nothing, for a snapshot of another emulator.
   */
  begin(id: string, { from, clock, seed }: SessionStart): Session {
    const { sharing } = this.#options;
    if (sharing !== undefined) {
      throw invalidOption(`Cannot begin a session. ${noSessions(sharing)}`);
    }
    const session = this.base.fork(id, this.#options);
    if (from !== undefined) session.restore(from);
    if (clock !== undefined) session.state.clock.standsAt = clock;
    if (seed !== undefined) session.state.reseed(seed);
    this.delete(id);
    return this.#use(id, session);
  }

  /** Runs code with a copy of the base session that requests cannot reach and no list shows. */
  async aside(use: (session: Session) => Promise<void>): Promise<void> {
    const session = this.base.fork(undefined, this.#options);
    await use(session);
    session.retire();
    this.base.state.budget.release();
  }

  /** Whether there is a session of that id. Does not count as use. */
  has(id: string): boolean {
    return this.#named.has(id);
  }

  #use(id: string, session: Session): Session {
    if (!this.#named.delete(id)) this.version++;
    this.#named.set(id, session);
    session.lastUsedAt = this.#options.now();
    if (this.#named.size > this.#options.maxSessions) this.#dropOldest();
    return session;
  }

  /** All but the base session, least recently used first. */
  list(): readonly Session[] {
    return [...this.#named.values()];
  }

  /** Drops a session. Returns false when there is none with that id. */
  delete(id: string): boolean {
    const session = this.#named.get(id);
    if (this.#named.delete(id)) this.version++;
    session?.retire();
    this.base.state.budget.release();
    return session !== undefined;
  }

  /** Drops all sessions before another emulator replaces this one. */
  retire(): void {
    for (const session of [this.base, ...this.#named.values()]) session.retire();
  }

  /** A session of a name that goes on after fixtures were loaded again. Undefined: there is only the base session. */
  renew(id: string): Session | undefined {
    if (this.#options.sharing !== undefined) return undefined;
    const session = this.base.fork(id, this.#options);
    this.#named.set(id, session);
    return session;
  }

  #dropOldest(): void {
    const [oldest] = this.#named.values();
    if (oldest?.id === undefined) return;
    this.delete(oldest.id);
    const { maxSessions, warned } = this.#options;
    const what = `Dropped the session ${showText(oldest.id)}, the longest unused: at most ${maxSessions} are kept`;
    warned?.(`${what}. Start with a larger --max-sessions.`);
  }
}
