import type { Core } from "../../../core/emulator/core.ts";
import type { Exchange } from "../../../core/emulator/exchange.ts";
import { failureReply } from "../../../core/emulator/own-replies.ts";
import type { Call } from "../../../core/http/call.ts";
import { isPromise, type MaybePromise } from "../../../core/http/maybe-promise.ts";
import type { ServedCore } from "../answer-request.ts";
import { answerBaseControl } from "./base-control.ts";
import { BaseHome } from "./base-home.ts";
import { BaseReplica } from "./base-replica.ts";
import { findPlace, home, type Place, sessionIn } from "./find-place.ts";
import type { Errand, Reach, Spread } from "./messages.ts";
import { Peer } from "./peer.ts";
import { refuseSnapshots } from "./refuse-snapshots.ts";
import { isChatStateless } from "./stateless-chat.ts";

/** Which of the workers one is, and where the others are. */
export interface ClusterSetup {
  /** From 0. */
  readonly index: number;
  readonly workers: number;
  /** How often this worker has been started, from 1. */
  readonly generation: number;
  /** Where a worker listens for the others. */
  readonly pathOf: (worker: number) => string;
}

/**
 * The emulator of one worker among several, all of which answer for all: what belongs to another one is asked there.
 * A session is in one worker; the base session in the first, of which the others have copies to begin sessions from.
 */
export class ClusterCore implements ServedCore {
  readonly #core: Core;
  readonly #setup: ClusterSetup;
  readonly #peers: readonly Peer[];
  /** In the first worker alone. */
  readonly #home: BaseHome | undefined;
  /** In all others. */
  readonly #replica: BaseReplica | undefined;
  readonly #maySpread: boolean;
  #spread: Spread;

  constructor(core: Core, setup: ClusterSetup) {
    const { index, workers, generation, pathOf } = setup;
    this.#core = core;
    this.#setup = setup;
    this.#peers = Array.from({ length: workers }, (_, worker) => new Peer(pathOf(worker)));
    this.#maySpread = isChatStateless(core);
    this.#spread = { isOn: false, turn: 0 };
    const others = this.#peers.filter((_, worker) => worker !== index);
    const homePeer = this.#peers[home];
    if (index === home || homePeer === undefined) {
      this.#home = new BaseHome({ core, others, generation, maySpread: this.#maySpread });
    } else this.#replica = new BaseReplica(core, homePeer);
  }

  get settings(): Core["settings"] {
    return this.#core.settings;
  }

  get scheduler(): Core["scheduler"] {
    return this.#core.scheduler;
  }

  report(error: unknown): void {
    this.#core.report(error);
  }

  /** Learns from the others what holds, or has them learn it. Once before clients are served. */
  async join(): Promise<void> {
    const told = await this.#peers[home]?.send({ kind: "tell spread" });
    if (told !== undefined) this.#learn(told as Spread);
  }

  /** Tells the others that the base session has begun anew, in a first worker that takes another one's place. */
  async announce(): Promise<void> {
    await this.#home?.announce();
  }

  /** Answers a call, or has the worker answer it that it belongs to. It does not reject. */
  handle(call: Call): MaybePromise<Exchange> {
    const place = this.#placeOf(call);
    const { index } = this.#setup;
    const peer = place.worker === undefined ? undefined : this.#peers[place.worker];
    if (peer === undefined || place.worker === index) return this.#answer(call, place);
    return peer.ask(call);
  }

  /** Answers a call that another worker sends. */
  received(call: Call, reach: Reach): MaybePromise<Exchange> {
    return reach === "own" ? this.#core.handle(call) : this.#answer(call, this.#placeOf(call));
  }

  /** Does what another worker wants. It does not reject. */
  async run(errand: Errand): Promise<unknown> {
    try {
      return await this.#run(errand);
    } catch (error) {
      this.report(error);
      return undefined;
    }
  }

  async #run(errand: Errand): Promise<unknown> {
    switch (errand.kind) {
      case "ping":
        return undefined;
      case "ping worker":
        return this.#peers[errand.worker]?.send({ kind: "ping" });
      case "spread":
        this.#learn(errand.spread);
        return undefined;
      case "tell spread":
        return this.#home?.spread;
      case "tell base":
        return this.#home?.state(errand.known);
      case "tell count":
        return this.#core.sessions.base.journal.count;
    }
  }

  #learn(spread: Spread): void {
    if (spread.turn >= this.#spread.turn) this.#spread = spread;
  }

  #placeOf(call: Call): Place {
    const place = findPlace(call, this.#core, this.#setup.workers);
    const isBaseChat =
      place.worker === undefined && place.session === undefined && place.control === undefined;
    if (!isBaseChat) return place;
    const { isOn } = this.#home?.spread ?? this.#spread;
    return isOn ? place : { ...place, worker: home };
  }

  /** A call that belongs here. */
  #answer(call: Call, place: Place): MaybePromise<Exchange> {
    const { session, control } = place;
    if (control !== undefined) return this.#safely(() => this.#control(call, place), call);
    if (session === undefined)
      return place.worker === undefined ? this.#core.handle(call) : this.#inBase(call);
    if (this.#replica === undefined || this.#core.sessions.has(session)) {
      return this.#core.handle(call);
    }
    return this.#safely(() => this.#begin(call), call);
  }

  /** In a session that is new here, or that begins anew. */
  async #begin(call: Call): Promise<Exchange> {
    await this.#replica?.sync();
    return this.#core.handle(call);
  }

  #inBase(call: Call): MaybePromise<Exchange> {
    const exchange = this.#core.handle(call);
    if (call.method === "GET" || call.method === "HEAD") return exchange;
    if (!isPromise(exchange)) {
      this.#home?.changed();
      return exchange;
    }
    return exchange.then((answered) => {
      this.#home?.changed();
      return answered;
    });
  }

  async #control(call: Call, { worker, session, control = "" }: Place): Promise<Exchange> {
    if (control.startsWith("/snapshots")) return refuseSnapshots(this.#core, call);
    if (worker === undefined) return this.#core.handle(call);
    await this.#settle(worker);
    const isAboutBase = session === undefined && sessionIn(control) === undefined;
    if (this.#home !== undefined && (isAboutBase || control === "/sessions")) {
      const { workers } = this.#setup;
      const others = this.#peers.slice(1, workers);
      return answerBaseControl(call, control, {
        core: this.#core,
        home: this.#home,
        others,
        isJoined: this.#maySpread,
      });
    }
    const target = sessionIn(control) ?? session ?? "";
    const beginsAnew = call.method === "PUT" && sessionIn(control) !== undefined;
    if (beginsAnew || !this.#core.sessions.has(target)) return this.#begin(call);
    return this.#core.handle(call);
  }

  /** Resolves when this worker knows of every exchange that is over by now, wherever its client is. */
  async #settle(worker: number): Promise<void> {
    const others = this.#peers.filter((_, other) => other !== this.#setup.index);
    await Promise.all(others.map((peer) => peer.send({ kind: "ping worker", worker })));
  }

  async #safely(give: () => Promise<Exchange>, call: Call): Promise<Exchange> {
    try {
      return await give();
    } catch (error) {
      this.report(error);
      const reply = failureReply(this.#core.route(call.path));
      return { reply, settle: () => undefined };
    }
  }
}
