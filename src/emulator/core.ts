import type { ChatContext } from "../chat/context.ts";
import type { FixtureSet } from "../fixtures/fixture-set.ts";
import { bearerKey, isAcceptedKey } from "../http/bearer-key.ts";
import type { Call } from "../http/call.ts";
import { andThen, isPromise, type MaybePromise } from "../http/maybe-promise.ts";
import { jsonReply, type Reply } from "../http/reply.ts";
import { Scheduler } from "../http/scheduler.ts";
import type { Timers } from "../http/timers.ts";
import { answerElsewhere, answerTables } from "../rest/answer-tables.ts";
import { createTemplates, type Templates } from "../template/templates.ts";
import { anySeed, createId, runtimeTimers, wallClock } from "./environment.ts";
import type { Exchange, Observer } from "./exchange.ts";
import type { EmulatorSettings } from "./options.ts";
import { refuseReferences } from "./replaced-tables.ts";
import { findRoute, pathInTablesMount, type Route } from "./routes.ts";
import { type ResolvedSettings, resolveSettings } from "./settings.ts";
import { type Collections, type Snapshot, State } from "./state.ts";

/** What an emulator starts from and behaves by. It changes as a whole, when fixtures are loaded anew. */
interface Setup {
  readonly fixtures: FixtureSet;
  readonly settings: ResolvedSettings;
  readonly templates: Templates;
  readonly state: State;
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

  get state(): State {
    return this.#setup.state;
  }

  /** Starts anew from other fixtures. Throws, and changes nothing, when the options do not fit them. */
  load(fixtures: FixtureSet): void {
    this.#setup = this.#setUp(fixtures);
  }

  /** Goes back to the fixtures. */
  reset(): void {
    this.state.restore(this.#setup.pristine);
  }

  /** The interface that a path belongs to. */
  route(path: string): Route {
    const { basePaths, restBasePaths } = this.settings;
    return findRoute(path, { rest: restBasePaths, chat: basePaths });
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
  handle(call: Call): MaybePromise<Exchange> {
    const route = this.#routeOf(call);
    const settler = this.#observer.exchanged === undefined ? undefined : this.#watch(call, route);
    return andThen(this.#answer(call, route), (answered) => {
      const reply = this.#delayed(answered);
      return { reply, settle: settler?.(reply) ?? settleUnseen };
    });
  }

  /** Takes the time of a call, and gives what tells the observer how it ended. */
  #watch(call: Call, route: Route): (reply: Reply) => Exchange["settle"] {
    const started = this.#timers.now();
    const at = this.#now();
    return (reply) => {
      let settled = false;
      return (outcome) => {
        if (settled) return;
        settled = true;
        this.#observer.exchanged?.({
          at,
          interface: route.interface,
          method: call.method,
          path: call.path,
          query: call.query,
          status: reply.status,
          answeredBy: answererOf(reply),
          durationMs: this.#timers.now() - started,
          ...outcome,
        });
      };
    };
  }

  /** Tells the observer of a failure that is a bug of the emulator. */
  report(error: unknown): void {
    this.#observer.failed?.(error);
  }

  #setUp(fixtures: FixtureSet): Setup {
    const settings = resolveSettings(this.#options, fixtures.settings);
    refuseReferences(fixtures, this.#collections);
    const state = new State(fixtures, settings.seed ?? anySeed(), {
      collections: this.#collections,
      storage: settings.restProfile.storage,
      limits: settings.limits,
      now: () => settings.clock ?? wallClock(),
    });
    const templates = createTemplates({ random: state.random, now: this.#now });
    return { fixtures, settings, templates, state, pristine: state.snapshot() };
  }

  readonly #now = (): number => this.settings.clock ?? wallClock();

  #answer(call: Call, route: Route): MaybePromise<Reply> {
    const fail = (error: unknown): Reply => {
      this.report(error);
      return failureReply(route);
    };
    try {
      const reply =
        route.interface === "rest"
          ? this.#answerTables(call, route)
          : this.#answerChat(call, route);
      return isPromise(reply) ? reply.catch(fail) : reply;
    } catch (error) {
      return fail(error);
    }
  }

  #answerTables(call: Call, { known, path }: Route): MaybePromise<Reply> {
    const { settings, state } = this.#setup;
    const answer = known ? answerTables : answerElsewhere;
    return answer(call, path, {
      database: state.database,
      profile: settings.restProfile,
      tokens: settings.tokens,
      cors: settings.cors,
      now: this.#now,
    });
  }

  #answerChat(call: Call, { known, path }: Route): MaybePromise<Reply> {
    return andThen(chatRoom(), ({ answerChat, refuseUnknownPath }) => {
      const context = this.#chatContext();
      return known ? answerChat(call, path, context) : refuseUnknownPath(call, context);
    });
  }

  #chatContext(): ChatContext {
    const { fixtures, settings, state, templates } = this.#setup;
    return {
      models: fixtures.models,
      scripts: state.scripts,
      profile: settings.chatProfile,
      unmatched: settings.unmatched,
      apiKeys: settings.apiKeys,
      cors: settings.cors,
      now: this.#now,
      random: state.random,
      createId: (prefix) => createId(prefix, state.random),
      speed: settings.speed,
      pace: settings.pace,
      otherPaths: ["/rest/{table}", "/rest/{table}/{key}"],
      tokenizer: settings.tokenizer,
      limiter: state.limiter,
      templates,
      templateScope: () => ({ tables: tablesForTemplates(state) }),
    };
  }

  #delayed(reply: Reply): Reply {
    const [least, greatest] = this.settings.latency;
    if (greatest === 0) return reply;
    const latency = least + (greatest - least) * this.state.random();
    return { ...reply, delayMs: (reply.delayMs ?? 0) + latency };
  }
}

/** What gave an answer, in words that may have to be looked for. */
function answererOf({ answeredBy }: Reply): string | undefined {
  return typeof answeredBy === "function" ? answeredBy() : answeredBy;
}

/** What an exchange is settled with when nobody wants to know of it. */
function settleUnseen(): void {}

/** Whether a call has the tables' token, and that is not one of chat's keys as well. */
function hasTokenOf(
  { headers }: Call,
  { tokens, apiKeys }: Pick<ResolvedSettings, "tokens" | "apiKeys">,
): boolean {
  const key = bearerKey(headers["authorization"]);
  if (key === undefined || tokens === null) return false;
  return isAcceptedKey(key, tokens) && !isAcceptedKey(key, apiKeys ?? []);
}

type ChatRoom = typeof import("../chat/answer-chat.ts");

let loadedChatRoom: MaybePromise<ChatRoom> | undefined;

/** Loaded when it is first needed: its modules take 8 ms, for which those who use only tables need not wait. */
function chatRoom(): MaybePromise<ChatRoom> {
  loadedChatRoom ??= import("../chat/answer-chat.ts").then((room) => {
    loadedChatRoom = room;
    return room;
  });
  return loadedChatRoom;
}

/** Rows by table, each list made only when a template asks for it. */
function tablesForTemplates({ database }: State): object {
  const tables = Object.create(null);
  for (const name of database.names()) {
    Object.defineProperty(tables, name, {
      enumerable: true,
      get: () => database.table(name)?.rows(),
    });
  }
  return tables;
}

/** The answer when the emulator itself failed, in the envelope of the interface that was asked. */
function failureReply(route: Route): Reply {
  const message = "The emulator failed. This is a bug of it; its log says more.";
  const error =
    route.interface === "rest"
      ? { error: message, code: "emulator_failure" }
      : { error: { message, type: "server_error", param: null, code: "emulator_failure" } };
  return { ...jsonReply(500, error, { "x-should-retry": "false" }), answeredBy: "failure" };
}
