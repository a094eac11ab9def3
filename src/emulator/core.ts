import type { FixtureSet } from "../fixtures/fixture-set.ts";
import { bearerKey, isAcceptedKey } from "../http/bearer-key.ts";
import type { Call } from "../http/call.ts";
import { andThen, isPromise, type MaybePromise } from "../http/maybe-promise.ts";
import type { Reply } from "../http/reply.ts";
import { Scheduler } from "../http/scheduler.ts";
import type { Timers } from "../http/timers.ts";
import { type AskedCall, answerChatCall, answerTablesCall } from "./answer-call.ts";
import { anySeed, runtimeTimers, wallClock } from "./environment.ts";
import type { Exchange, Observer } from "./exchange.ts";
import type { EmulatorSettings } from "./options.ts";
import { refuseReferences } from "./replaced-tables.ts";
import type { ControlCaller } from "./control/control-context.ts";
import { controlRoom, pathBelowControl } from "./control/control-room.ts";
import { failureReply, refuseSession } from "./own-replies.ts";
import { findRoute, pathInTablesMount, type Route } from "./routes.ts";
import { type ResolvedSettings, resolveSettings } from "./settings.ts";
import { Session } from "./session.ts";
import { longestSessionId, readSessionAddress } from "./session-address.ts";
import { SessionCall } from "./session-call.ts";
import { Sessions } from "./sessions.ts";
import { type Collections, type Snapshot, State } from "./state.ts";

/** What an emulator starts from and behaves by. It changes as a whole, when fixtures are loaded anew. */
interface Setup {
  readonly fixtures: FixtureSet;
  readonly settings: ResolvedSettings;
  readonly sessions: Sessions;
  readonly pristine: Snapshot;
}

/** What an emulator works in. */
export interface Surroundings {
  /** Told of each exchange once it is over, and of failures that are bugs of the emulator. */
  readonly observer?: Observer;
  /** Default: the runtime's own. */
  readonly timers?: Timers;
  /** The user's own collections that are served as tables. Default: none. */
  readonly collections?: Collections;
}

/** Where a call comes from, as far as the call does not say so. */
export interface CallSource {
  /** The id of its session; goes before what the call says. */
  readonly session?: string | undefined;
  /** Whether it was made by code of this process, and not over a network. Default false. */
  readonly inProcess?: boolean | undefined;
}

/** One emulated service: turns calls into replies. Fronts put it on a wire. */
export class Core {
  /** Plays the streams of all fronts. */
  readonly scheduler: Scheduler;
  readonly #options: EmulatorSettings;
  readonly #observer: Observer;
  readonly #timers: Timers;
  readonly #collections: Collections;
  #setup: Setup;

  constructor(fixtures: FixtureSet, options: EmulatorSettings, surroundings: Surroundings = {}) {
    const { observer = {}, timers = runtimeTimers, collections = new Map() } = surroundings;
    this.scheduler = new Scheduler(timers);
    this.#options = options;
    this.#observer = observer;
    this.#timers = timers;
    this.#collections = collections;
    this.#setup = this.#setUp(fixtures);
  }

  get settings(): ResolvedSettings {
    return this.#setup.settings;
  }

  get fixtures(): FixtureSet {
    return this.#setup.fixtures;
  }

  /** What the base session's requests can change. */
  get state(): State {
    return this.sessions.base.state;
  }

  get sessions(): Sessions {
    return this.#setup.sessions;
  }

  /** Starts anew from other fixtures. Throws, and changes nothing, when the options do not fit them. */
  load(fixtures: FixtureSet): void {
    this.#setup = this.#setUp(fixtures);
  }

  /** Takes a session back to the fixtures, and empties its journal. Default: the base session. */
  reset(session: Session = this.sessions.base): void {
    session.reset(this.#setup.pristine);
  }

  /** The interface that a path belongs to, whatever the session that it begins with. */
  route(path: string): Route {
    const { basePaths, restBasePaths } = this.settings;
    const inside = readSessionAddress({ path, headers: {} }).path;
    if (pathBelowControl(inside) !== undefined)
      return { interface: "chat", path: inside, known: true };
    return findRoute(inside, { rest: restBasePaths, chat: basePaths });
  }

  /** The interface that answers a call, which under some profiles is not told by the path alone. */
  #routeOf(call: Call): Route {
    const route = this.route(call.path);
    const { restProfile, restBasePaths, tokens, apiKeys } = this.settings;
    if (restProfile.answerElsewhere === undefined) return route;
    // Who comes to chat with the tables' token takes us for their service, which has none.
    const isMistaken = route.interface === "chat" && hasTokenOf(call, { tokens, apiKeys });
    const isTheirs = !route.known || isMistaken;
    if (!isTheirs) return route;
    const path = pathInTablesMount(call.path, { rest: restBasePaths });
    return { interface: "rest", path, known: false };
  }

  /**
   * Answers a call: at once, where nothing has to be waited for. It does not reject: a failure of our own is
   * reported and answered as 500.
   */
  handle(received: Call, source: CallSource = {}): MaybePromise<Exchange> {
    const { id, path } = readSessionAddress(received);
    const name = source.session ?? id;
    const isName = name === undefined || name.length <= longestSessionId;
    const session = this.sessions.get(isName ? name : undefined);
    const controlPath = pathBelowControl(path);
    if (isName && controlPath !== undefined) {
      const caller = { session, inProcess: source.inProcess ?? false };
      return this.#control(new SessionCall(received, path), controlPath, caller);
    }
    // Only what may have a body is worth watching while it is read.
    const isPlain = path === received.path && !hasBody(received.method);
    const call = isPlain ? received : new SessionCall(received, path);
    const route = this.#routeOf(call);
    const started = this.#timers.now();
    const asked: AskedCall = { call, route, session, started, at: this.#now() };
    const reply = isName ? this.#answer(asked) : refuseSession(route);
    return andThen(reply, (answered) => {
      const delayed = this.#delayed(answered, session);
      return { reply: delayed, settle: this.#settler(asked, delayed) };
    });
  }

  /** Has the control API answer. It is not in the journal, which tells what was asked of the service. */
  #control(call: Call, path: string, caller: ControlCaller): MaybePromise<Exchange> {
    const setup = { ...this.#setup, now: this.#now };
    const fail = (error: unknown): Reply => {
      this.report(error);
      return failureReply({ interface: "rest", path, known: true });
    };
    const answered = controlRoom().then(({ answerControl, controlContext }) =>
      answerControl(call, path, controlContext(caller, setup)),
    );
    return answered.catch(fail).then((reply) => ({ reply, settle: ignoreOutcome }));
  }

  /** What notes in the journal, and tells the observer, how a call ended. */
  #settler({ call, route, session, started, at }: AskedCall, reply: Reply): Exchange["settle"] {
    let settled = false;
    return ({ chunksSent, bytes = 0, aborted }) => {
      if (settled) return;
      settled = true;
      const durationMs = this.#timers.now() - started;
      const { method, path, query, headers } = call;
      const { status, answeredBy } = reply;
      const body = call instanceof SessionCall ? call.body : undefined;
      session.journal.record({
        id: String(session.journal.count + 1),
        at,
        session: session.id,
        interface: route.interface,
        method,
        path,
        query,
        headers,
        body,
        status,
        answeredBy,
        durationMs,
        bytes,
        chunksSent,
        aborted,
        size: entrySize + (body?.byteLength ?? 0),
      });
      this.#observer.exchanged?.({
        at,
        session: session.id,
        interface: route.interface,
        method,
        path,
        query,
        status,
        answeredBy: answererOf(reply),
        durationMs,
        chunksSent,
        aborted,
      });
    };
  }

  /** Tells the observer of a failure that is a bug of the emulator. */
  report(error: unknown): void {
    this.#observer.failed?.(error);
  }

  #setUp(fixtures: FixtureSet): Setup {
    const settings = resolveSettings(this.#options, fixtures.settings);
    refuseReferences(fixtures, this.#collections);
    const state = State.of(fixtures, settings.seed ?? anySeed(), {
      collections: this.#collections,
      storage: settings.restProfile.storage,
      limits: settings.limits,
      now: () => settings.clock ?? wallClock(),
    });
    const { journalLimits, maxSessions } = settings;
    const options = { now: () => settings.clock ?? wallClock(), journalLimits, maxSessions };
    const sessions = new Sessions(
      new Session(undefined, { state, models: fixtures.models }, options),
      options,
    );
    return { fixtures, settings, sessions, pristine: state.snapshot() };
  }

  readonly #now = (): number => this.settings.clock ?? wallClock();

  #answer(asked: AskedCall): MaybePromise<Reply> {
    const { route } = asked;
    const fail = (error: unknown): Reply => {
      this.report(error);
      return failureReply(route);
    };
    try {
      const reply =
        route.interface === "rest"
          ? answerTablesCall(asked, this.#setup.settings, this.#now)
          : answerChatCall(asked, this.#setup.settings, this.#now);
      return isPromise(reply) ? reply.catch(fail) : reply;
    } catch (error) {
      return fail(error);
    }
  }

  #delayed(reply: Reply, { state }: Session): Reply {
    const [least, greatest] = this.settings.latency;
    if (greatest === 0) return reply;
    const latency = least + (greatest - least) * state.random();
    return { ...reply, delayMs: (reply.delayMs ?? 0) + latency };
  }
}

/** What gave an answer, in words that may have to be looked for. */
function answererOf({ answeredBy }: Reply): string | undefined {
  return typeof answeredBy === "function" ? answeredBy() : answeredBy;
}

/** What became of an answer of the control API interests nobody. */
function ignoreOutcome(): void {}

const bodyless = new Set(["GET", "HEAD", "DELETE", "OPTIONS"]);

function hasBody(method: string): boolean {
  return !bodyless.has(method);
}

/** What an entry takes besides its bodies: its fields, and the request's headers. */
const entrySize = 1000;

/** Whether a call has the tables' token, and that is not one of chat's keys as well. */
function hasTokenOf(
  { headers }: Call,
  { tokens, apiKeys }: Pick<ResolvedSettings, "tokens" | "apiKeys">,
): boolean {
  const key = bearerKey(headers["authorization"]);
  if (key === undefined || tokens === null) return false;
  return isAcceptedKey(key, tokens) && !isAcceptedKey(key, apiKeys ?? []);
}
