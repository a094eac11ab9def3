import type { FixtureSet } from "../fixture-set/fixture-set.ts";
import type { Call } from "../http/call.ts";
import type { Reply } from "../http/reply.ts";
import { Scheduler, type Timers } from "../http/scheduler.ts";
import { loadOnce } from "../http/load-once.ts";
import { type AnswerAsEver, answerAsEver, type AskedCall } from "./answer-call.ts";
import { type AnswerControl, type ControlCall, pathBelowControl } from "./control-call.ts";
import { runtimeTimers } from "./environment.ts";
import type { Exchange, Observer } from "./exchange.ts";
import type { Extras } from "./extras.ts";
import type { ForeignTables } from "./foreign-tables.ts";
import { faultRoom } from "./faults/planned-faults.ts";
import { type CallWatch, HandledCall } from "./handled-call.ts";
import { JournalWatchers } from "./journal/journal.ts";
import type { NamedSnapshots } from "./named-snapshots.ts";
import type { EmulatorSettings } from "../fixture-set/settings.ts";
import { failureReply, refuseSession } from "./own-replies.ts";
import { readObserver } from "./read-observer.ts";
import { routeOf, findRoute, type Route } from "./routes.ts";
import type { Session } from "./session.ts";
import { readSessionAddress, SessionCall } from "./session-address.ts";
import type { Sessions } from "./sessions.ts";
import type { ResolvedSettings } from "./settings.ts";
import { type Setup, setUp } from "./setup.ts";
import { sharedRoom } from "./shared/shared-room.ts";
import { noSessions, type SharedTables } from "./shared/shared-tables.ts";
import type { State } from "./state.ts";
import type { Upstream } from "./upstream.ts";

/** What an emulator works in. */
export interface Surroundings {
  /** What the composition root registers. Default: nothing. */
  readonly extras?: Extras;
  /** Told of each exchange once it is over, and of failures that are bugs of the emulator. */
  readonly observer?: Observer;
  /** Default: the runtime's own. */
  readonly timers?: Timers;
  /** The user's own collections that are served as tables. Default: none. */
  readonly collections?: ForeignTables;
  /** The real service behind the emulator. Default: none. */
  readonly upstream?: Upstream;
  /** Where the base session's rows are kept, for several processes. Default: in memory alone. */
  readonly sharedTables?: SharedTables;
}

/** Where a call comes from, as far as the call does not say so. */
export interface CallSource {
  /** The id of its session, where the path has none. It goes before the header. */
  readonly session?: string | undefined;
  /** Whether it was made by code of this process, and not over a network. Default false. */
  readonly inProcess?: boolean | undefined;
}

/** One emulated service: turns calls into replies. Fronts put it on a wire. */
export class Core {
  /** Plays the streams of all fronts. */
  readonly scheduler: Scheduler;
  readonly #options: EmulatorSettings;
  readonly #watch: CallWatch;
  readonly #extras: Extras;
  readonly #collections: ForeignTables;
  readonly #upstream: Upstream | undefined;
  readonly #sharedTables: SharedTables | undefined;
  readonly #answerAsEver: AnswerAsEver;
  readonly #watchers: JournalWatchers = new JournalWatchers();
  #setup: Setup;

  constructor(fixtures: FixtureSet, options: EmulatorSettings, surroundings: Surroundings = {}) {
    const { observer = {}, timers = runtimeTimers, collections = new Map() } = surroundings;
    this.scheduler = new Scheduler(timers);
    this.#options = options;
    this.#watch = { timers, observer: readObserver(observer) };
    this.#extras = surroundings.extras ?? {};
    this.#collections = collections;
    this.#upstream = surroundings.upstream;
    this.#sharedTables = surroundings.sharedTables;
    this.#answerAsEver = answererWith(surroundings.sharedTables);
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

  get snapshots(): NamedSnapshots {
    return this.#setup.snapshots;
  }

  /** Starts anew from other fixtures. Throws, and changes nothing, when the options do not fit them. */
  load(fixtures: FixtureSet): void {
    const before = this.sessions;
    this.#setup = this.#setUp(fixtures);
    before.retire();
  }

  /** Takes a session back to the fixtures, and empties its journal. Default: the base session. */
  reset(session: Session = this.sessions.base): void {
    session.reset(this.#setup.pristine);
  }

  /** The interface that a path belongs to, whatever the session that it begins with. */
  route(path: string): Route {
    const inside = readSessionAddress({ path, headers: {} }).path;
    const isControl = pathBelowControl(inside) !== undefined;
    if (isControl) return { interface: "chat", path: inside, known: true };
    return findRoute(inside, this.#setup.mounts);
  }

  /** Answers a call. It does not reject: a failure of our own is reported and answered as 500. */
  async handle(received: Call, source: CallSource = {}): Promise<Exchange> {
    const { id, path, problem: badId } = readSessionAddress(received, source.session);
    const isShared = this.#sharedTables !== undefined && id !== undefined;
    const problem = isShared ? (badId ?? noSessions) : badId;
    const controlPath = pathBelowControl(path);
    const { control, console } = this.#extras;
    if (controlPath !== undefined && control !== undefined) {
      return this.#control(control, {
        call: new SessionCall(received, path),
        path: controlPath,
        sessionId: id,
        sessionProblem: problem,
        inProcess: source.inProcess ?? false,
        // Now: of a connection that has ended nobody could tell.
        peerAddress: received.peerAddress?.(),
        setup: this.#setup,
        timers: this.#watch.timers,
        shared: this.#sharedTables,
        console,
      });
    }
    const call = path === received.path ? received : new SessionCall(received, path);
    const session = problem === undefined ? this.sessions.get(id) : this.sessions.base;
    const handled = new HandledCall(call, routeOf(call, this.#setup), session, this.#watch);
    if (problem !== undefined) return handled.refused(refuseSession(handled.route, problem));
    handled.reply = this.#delayed(await this.#answer(handled), session);
    return handled;
  }

  /** Has the control API answer. It is not in the journal, which tells what was asked of the service. */
  async #control(load: () => Promise<AnswerControl>, call: ControlCall): Promise<Exchange> {
    try {
      const answerControl = await load();
      return { reply: await answerControl(call), settle: ignoreOutcome };
    } catch (error) {
      this.report(error);
      return { reply: failureReply({ interface: "rest" }), settle: ignoreOutcome };
    }
  }

  /** Tells the observer of a failure that is a bug of the emulator. */
  report(error: unknown): void {
    this.#watch.observer.failed?.(error);
  }

  #setUp(fixtures: FixtureSet): Setup {
    return setUp(fixtures, this.#options, {
      extras: this.#extras,
      collections: this.#collections,
      watchers: this.#watchers,
      isAlone: this.#sharedTables !== undefined,
    });
  }

  async #answer(asked: AskedCall): Promise<Reply> {
    try {
      const { settings } = this.#setup;
      const { session } = asked;
      const isPlain = session.cassettes === undefined && this.#upstream === undefined;
      const answer = isPlain ? this.#answerAsEver : this.#answerReplayed;
      if (session.state.faults.isEmpty) return await answer(asked, settings);
      const { answerWithFaults } = await faultRoom();
      return await answerWithFaults(asked, settings, answer);
    } catch (error) {
      this.report(error);
      return failureReply(asked.route);
    }
  }

  /** Answers as was recorded, or as the real service does, where there is such. */
  readonly #answerReplayed: AnswerAsEver = async (asked, settings) => {
    const { answerWithRecordings } = await replayRoom();
    return answerWithRecordings(asked, {
      settings,
      mounts: this.#setup.mounts,
      upstream: this.#upstream,
      timers: this.#watch.timers,
      answerAsEver: this.#answerAsEver,
    });
  };

  #delayed(reply: Reply, { state }: Session): Reply {
    const [least, greatest] = this.settings.latency;
    if (greatest === 0) return reply;
    const latency = least + (greatest - least) * state.random();
    return { ...reply, delayMs: (reply.delayMs ?? 0) + latency };
  }
}

/** Loaded when something was recorded, or a real service stands behind: most have neither. */
const replayRoom = loadOnce(() => import("./replay/answer-with-recordings.ts"));

/** Has a call answered, out of tables that are brought up to date before where several processes share them. */
function answererWith(shared: SharedTables | undefined): AnswerAsEver {
  if (shared === undefined) return answerAsEver;
  return async (asked, settings) => {
    const { answerShared } = await sharedRoom();
    return answerShared(shared, answerAsEver, asked, settings);
  };
}

/** What became of an answer of the control API interests nobody. */
function ignoreOutcome(): void {}
