import { isEmulatorError, type Problem } from "../errors/emulator-error.ts";
import { carryOver } from "./carry-over.ts";
import type { FixtureSet } from "../fixture-set/fixture-set.ts";
import type { EmulatorSettings } from "../settings/settings.ts";
import { isAcceptedKey } from "../http/bearer-key.ts";
import type { Call, CallHeaders } from "../http/call.ts";
import { type OwnError, type Reply, sizeOf } from "../http/reply.ts";
import { isNavigation } from "../http/navigation.ts";
import { isSecretHeader } from "../http/secret-names.ts";
import { loadOnce } from "../http/load-once.ts";
import type { Timers } from "../http/scheduler.ts";
import { type AnswerCall, answerFromFixtures } from "./answer-from-fixtures.ts";
import { runtimeTimers } from "./environment.ts";
import { answered, type AnsweredExchange, type Exchange, type ExchangeLog } from "./exchange.ts";
import { type Observer, readObserver } from "./observer.ts";
import type { ControlCall, Extras } from "./extras.ts";
import type { FixtureFolder } from "./sockets/fixture-folder.ts";
import type { GuestTables } from "./sockets/guest-tables.ts";
import type { AnswerWithRecordings } from "./sockets/replay.ts";
import { noSessions, type SharedTables } from "./sockets/shared-tables.ts";
import type { Upstream } from "./sockets/upstream.ts";
import { Journals } from "./journal/journal.ts";
import { Metrics } from "./metrics.ts";
import { PlayCounts } from "../recordings/play-counts.ts";
import type { NamedSnapshots } from "./named-snapshots.ts";
import { controlEnvelope, failureReply, limitReply, ownReply } from "./own-replies.ts";
import { type InterfaceName, pathsBeside } from "../interface.ts";
import {
  findRoute,
  pathBelowControl,
  pathBelowRoot,
  readSessionAddress,
  type Route,
  routeOf,
  callWithin,
  sessionHeader,
} from "./routes.ts";
import type { Session, Sessions } from "./session.ts";
import type { ResolvedSettings } from "../settings/resolve-settings.ts";
import { type Setup, setUp } from "./setup.ts";
import type { Guard } from "./access.ts";
import type { State } from "./state.ts";
import type { WaitingClient } from "./waiting-client.ts";

/** What an emulator consists of besides fixtures and settings. */
export interface CoreOptions {
  /** The registered extras. Default: none. */
  readonly extras?: Extras;
  /** Observes finished exchanges, and failures that are bugs in the emulator. */
  readonly observer?: Observer;
  /** Default: the runtime's own. */
  readonly timers?: Timers;
  /** Tables whose rows belong to the surrounding program. Default: none. */
  readonly guestTables?: GuestTables;
  /** The real service behind the emulator. Default: none. */
  readonly upstream?: Upstream;
  /** Where the base session's rows are kept, for several processes. Default: only in memory. */
  readonly sharedTables?: SharedTables;
  /** Where scripts can be written to. Default: nowhere. */
  readonly folder?: FixtureFolder | undefined;
}

/** Where a call comes from, if the call itself does not show it. */
export interface CallSource {
  /** The session's id, if the path has none. Wins over the id in the header. */
  readonly session?: string | undefined;
  /**
   * A path such as `/app/`. Below it the emulator answers too, unless the whole path is one of its own. Default: `/`.
   */
  readonly root?: string | undefined;
  /** Whether code of this process makes the call, instead of the network. Default: false. */
  readonly inProcess?: boolean | undefined;
  /** Undefined: no page of another site can have sent it. */
  readonly guard?: Guard | undefined;
  /** Who waits for the answer in this process. Undefined: the client waits at a socket. */
  readonly client?: WaitingClient | undefined;
}

/** What may lead to the refusal of a call. */
interface RefusalReasons extends Pick<CallSource, "guard"> {
  /** What is wrong with the call's session id. */
  readonly problem: string | undefined;
}

/** The most warnings in all. */
const mostWarnings = 500;
/** The most warnings of one kind. */
const mostOfKind = 10;

/** An emulated service: turns calls into replies. Fronts put them on a wire. */
export class Core {
  /** How often each recording was replayed, in all sessions. */
  readonly plays: PlayCounts = new PlayCounts();
  readonly #settings: EmulatorSettings;
  readonly #log: ExchangeLog;
  readonly #options: CoreOptions;
  readonly #journals: Journals;
  readonly #warnings: Set<string> = new Set();
  /** How many warnings of each kind have been logged. */
  readonly #kinds: Map<string, number> = new Map();
  #setup: Setup;
  #fixtureProblem: Problem | undefined;

  constructor(fixtures: FixtureSet, settings: EmulatorSettings, options: CoreOptions = {}) {
    const { timers = runtimeTimers, observer = {} } = options;
    this.#settings = settings;
    this.#log = { timers, observer: readObserver(observer), metrics: new Metrics() };
    this.#journals = new Journals(this.#log);
    this.#options = options;
    this.#setup = this.#setUp(fixtures);
  }

  get settings(): ResolvedSettings {
    return this.#setup.settings;
  }

  get fixtures(): FixtureSet {
    return this.#setup.fixtures;
  }

  /** The state of the base session. */
  get state(): State {
    return this.sessions.base.state;
  }

  get sessions(): Sessions {
    return this.#setup.sessions;
  }

  get snapshots(): NamedSnapshots {
    return this.#setup.snapshots;
  }

  /**
   * Loads other fixtures. Sessions and their journals stay, with what fits of their state. Throws, and changes nothing,
   * when the options do not fit them.
   */
  load(fixtures: FixtureSet): void {
    const before = this.#setup;
    this.#setup = this.#setUp(fixtures);
    carryOver(before, this.#setup);
    this.#fixtureProblem = undefined;
    const { base } = this.sessions;
    for (const session of [base, ...this.sessions.list()]) session.journal.noteReload(base.now());
  }

  /** Notes why changed fixtures could not be loaded, for the console. The previous ones stay in use. */
  refuseFixtures(error: unknown): void {
    const { message } = error instanceof Error ? error : { message: String(error) };
    const [problem] = isEmulatorError(error) ? error.problems : [];
    this.#fixtureProblem = { ...problem, message };
  }

  /** Resets a session to the fixtures and empties its journal. Default: the base session. */
  reset(session: Session = this.sessions.base): void {
    session.reset(this.#setup.pristine);
  }

  /** The part of a path below a root such as `/app/`, unless the whole path is one of the emulator's own. */
  pathBelow(root: string, path: string): string {
    const below = pathBelowRoot(path, root);
    return below === path || this.route(path).known ? path : below;
  }

  /** The interface of a path, with or without a session's prefix. */
  route(path: string): Route {
    const inside = readSessionAddress({ path, headers: {} }).path;
    const isControl = pathBelowControl(inside) !== undefined;
    const route = findRoute(inside, this.#setup.mounts);
    return isControl ? { ...route, known: true } : route;
  }

  /** Answers a call. Never rejects: our own failures are reported and answered with 500. */
  async handle(sent: Call, source: CallSource = {}): Promise<AnsweredExchange> {
    const { session: givenId, inProcess, guard, root = "/" } = source;
    const call = callWithin(sent, this.pathBelow(root, sent.path));
    const { id, path, problem: wrongId } = readSessionAddress(call, givenId);
    const problem = wrongId ?? this.#whyNoSession(id);
    const inside = callWithin(call, path);
    const controlPath = pathBelowControl(path);
    if (controlPath !== undefined && this.#options.extras?.control !== undefined) {
      return this.#control({
        call: inside,
        path: controlPath,
        sessionId: id,
        sessionProblem: problem,
        inProcess,
        // Read the address now, since a closed connection has none.
        peerAddress: call.peerAddress?.(),
        setup: this.#setup,
        timers: this.#log.timers,
        metrics: this.#log.metrics,
        shared: this.#options.sharedTables,
        console: this.#options.extras.console,
        folder: this.#options.folder,
        current: () => ({ setup: this.#setup, fixtureProblem: this.#fixtureProblem }),
      });
    }
    const route = routeOf(inside, this.#setup);
    const error = this.#whyRefused(call, { guard, problem });
    const refusal = error && ownReply(route.interface, error);
    const isKept = refusal === undefined && this.#mayUse({ id, givenId }, inside, route);
    // A refused request creates no session.
    const session = this.sessions.get(refusal === undefined ? id : undefined, isKept);
    joinClients(session, source);
    // Written property by property, since an object made by spreading another one would cost 10 µs.
    const started = this.#log.timers.now();
    const at = session.now();
    const entry = isKept ? session.journal.begin(inside, route, started, at) : undefined;
    const { warnOnce } = this;
    const exchange: Exchange = {
      call: inside,
      route,
      session,
      settings: this.#setup.settings,
      timers: this.#log.timers,
      started,
      at,
      entry,
      warnOnce,
      pathsBeside: this.#pathsBeside,
    };
    return refusal === undefined
      ? this.#exchange(exchange)
      : answered(exchange, refusal, this.#log);
  }

  /** Why there can be no session of an id. */
  #whyNoSession(id: string | undefined): string | undefined {
    const { sharedTables } = this.#options;
    return id === undefined || sharedTables === undefined
      ? undefined
      : noSessions(sharedTables.advice);
  }

  async #exchange(exchange: Exchange): Promise<AnsweredExchange> {
    const isReadable = exchange.entry === undefined || this.#journals.reader !== undefined;
    // A service worker that starts offline goes without the journal's reader.
    const loading = isReadable ? undefined : this.#journals.load().catch(() => undefined);
    const reply = await this.#replyTo(exchange);
    if (loading !== undefined) await loading;
    return answered(exchange, this.#delayed(reply, exchange.session), this.#log);
  }

  /** The answer; if a limit is reached or the emulator fails, an error in its place. */
  async #replyTo(exchange: Exchange): Promise<Reply> {
    try {
      const reply = await this.#answer(exchange);
      exchange.call.admit?.(sizeOf(reply));
      return reply;
    } catch (error) {
      const limit = limitReply(exchange.route.interface, error);
      if (limit === undefined) this.report(error);
      return limit ?? failureReply(exchange.route.interface);
    }
  }

  /**
   * Refuses an invalid session id, and requests that a page of another site may have sent. The first refusal logs which
   * setting would let them in.
   */
  #whyRefused(
    { headers }: Call,
    { guard, problem: message }: RefusalReasons,
  ): OwnError | undefined {
    const foreign = guard?.(headers, this.settings);
    if (foreign !== undefined) this.warnOnce(foreign.message);
    if (foreign !== undefined || message === undefined) return foreign;
    return { status: 400, code: "invalid_session", message };
  }

  /**
   * Logs a warning about a request, once for each message. Warnings of one `kind` differ only in names and values, and
   * are logged a few times at most. Returns false when nobody listens.
   */
  readonly warnOnce = (message: string, kind?: string): boolean => {
    const { warned } = this.#options.observer ?? {};
    // A client can make up any number of names.
    if (this.#warnings.has(message) || this.#warnings.size >= mostWarnings)
      return warned !== undefined;
    const told = kind === undefined ? 0 : (this.#kinds.get(kind) ?? 0);
    if (told >= mostOfKind) return warned !== undefined;
    if (kind !== undefined) this.#kinds.set(kind, told + 1);
    this.#warnings.add(message);
    this.#log.observer.warned?.(message);
    return warned !== undefined;
  };

  readonly #pathsBeside = (name: InterfaceName, base: string): readonly string[] =>
    pathsBeside(name, { base, settings: this.settings });

  /**
   * Whether a call may use its session: the session exists, or the call has a valid key to start it and is not the
   * opening of a page, which any site can cause. Such a caller must not evict another session.
   */
  #mayUse(
    { id, givenId }: { readonly id: string | undefined; readonly givenId: string | undefined },
    { headers }: Call,
    { interface: asked }: Route,
  ): boolean {
    const { sessions, settings } = this.#setup;
    if (id === givenId || id === undefined || sessions.has(id)) return true;
    if (isNavigation(headers)) return false;
    // Recordings answer requests with any key of their service, in any header.
    const isOpen = this.#options.upstream !== undefined || sessions.base.cassettes !== undefined;
    if (isOpen && hasSomeKey(headers)) return true;
    const keys = asked.keys(settings);
    const key = asked.keyOf(settings, headers);
    return keys === null || (key !== undefined && (keys.length === 0 || isAcceptedKey(key, keys)));
  }

  /** Answers with the control API. The journal leaves it out, since it lists requests to the service. */
  async #control(call: ControlCall): Promise<AnsweredExchange> {
    let reply: Reply | undefined;
    try {
      const answerControl = await this.#options.extras?.control?.();
      await this.#journals.load();
      reply = await answerControl?.(call);
      if (reply !== undefined) call.call.admit?.(sizeOf(reply));
    } catch (error) {
      reply = limitReply(controlEnvelope, error);
      if (reply === undefined) this.report(error);
    }
    return { reply: reply ?? failureReply(controlEnvelope), settle: () => undefined };
  }

  /** Reports a bug of the emulator to the observer. */
  report(error: unknown): void {
    this.#log.observer.failed?.(error);
  }

  #setUp(fixtures: FixtureSet): Setup {
    return setUp(fixtures, this.#settings, {
      extras: this.#options.extras ?? {},
      guestTables: this.#options.guestTables ?? new Map(),
      journals: this.#journals,
      sharing: this.#options.sharedTables?.advice,
      warned: this.#log.observer.warned,
      folder: this.#options.folder,
    });
  }

  /** Planned faults come first, then recordings and a real service, then tables and scripts. */
  #answer(exchange: Exchange): Promise<Reply> {
    const { cassettes, state } = exchange.session;
    const { extras, upstream } = this.#options;
    const isPlain = cassettes === undefined && upstream === undefined;
    const answer =
      isPlain || extras?.replay === undefined
        ? this.#answerFromFixtures
        : this.#answerBy(extras.replay);
    return state.faults.isEmpty ? answer(exchange) : answerWithFaults(exchange, answer);
  }

  #answerBy(replay: () => Promise<AnswerWithRecordings>): AnswerCall {
    return async (exchange) => {
      const answer = await replay();
      return answer(exchange, {
        upstream: this.#options.upstream,
        timers: this.#log.timers,
        plays: this.plays,
        answerFromFixtures: this.#answerFromFixtures,
      });
    };
  }

  /** Answers from tables and scripts. If several processes share the tables, updates them first. */
  readonly #answerFromFixtures: AnswerCall = (exchange) => {
    const shared = this.#options.sharedTables;
    return shared === undefined ? answerFromFixtures(exchange) : answerShared(shared, exchange);
  };

  #delayed(reply: Reply, { state }: Session): Reply {
    const [least, greatest] = this.settings.latency;
    if (greatest === 0) return reply;
    const latency = least + (greatest - least) * state.random();
    return { ...reply, delayMs: (reply.delayMs ?? 0) + latency };
  }
}

/**
 * Whether a header has a key. Cookies do not count, since browsers also send them with what pages of other sites
 * embed.
 */
function hasSomeKey(headers: CallHeaders): boolean {
  return Object.entries(headers).some(
    ([name, value]) =>
      name !== "cookie" && name !== sessionHeader && value !== "" && isSecretHeader(name),
  );
}

/** Tells a session which client of this process waits for an answer. */
function joinClients({ clients }: Session, { client }: CallSource): void {
  client?.join(clients);
}

// Loaded on first use: most emulators have no planned faults and no shared tables.
const loadFaults = loadOnce(() => import("./faults/answer-with-faults.ts"));
const loadShared = loadOnce(() => import("./shared/answer-shared.ts"));

async function answerWithFaults(exchange: Exchange, answer: AnswerCall): Promise<Reply> {
  const faults = await loadFaults();
  return faults.answerWithFaults(exchange, answer);
}

async function answerShared(tables: SharedTables, exchange: Exchange): Promise<Reply> {
  const shared = await loadShared();
  return shared.answerShared(tables, exchange);
}
