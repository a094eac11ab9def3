import { isEmulatorError } from "../../../../core/errors/emulator-error.ts";
import type { Core } from "../../../../core/emulator/core.ts";
import { anySeed } from "../../../../core/emulator/environment.ts";
import { pathBelowRoot } from "../../../../core/emulator/routes.ts";
import { version } from "../../../../core/emulator/version.ts";
import { answerPageRequest } from "./answer-request.ts";
import { KeptStore } from "./kept-store.ts";
import type { StartMessage, WorkerAnswer, WorkerMessage } from "./messages.ts";
import { SetupRecovery } from "./setup-recovery.ts";
import {
  isControlPath,
  type KeptSetup,
  RunningEmulator,
  type RunningOptions,
} from "./running-emulator.ts";

declare const self: ServiceWorkerGlobalScope;

/** The address of the fixtures, if the script's own address names it. Otherwise a page sends them. */
const fixturesUrl: string | null = new URL(location.href).searchParams.get("fixtures");

const setupKey = ["setup"] as const;
const pagesKey = ["pages"] as const;

/** When another worker waits, answers older than this many milliseconds are broken off. */
const longOpen = 500;

/** The session of a page, or of its workers, and whether it ends with the page. */
type Page = Pick<StartMessage, "session" | "isPassing">;

/** An unfinished answer. */
interface OpenAnswer {
  /** The page's id. */
  readonly page: string;
  /** When the answer started, in milliseconds. */
  readonly since: number;
  readonly leaving: AbortController;
}

/** One emulator for all pages of a service worker, saved so that it survives the worker. */
export class Host {
  readonly #store: KeptStore = new KeptStore(
    `backlot ${new URL(self.registration.scope).pathname}`,
  );
  /** The pages that have started the worker, by the browser's ids. */
  #pages: Map<string, Page> = new Map();
  #running: RunningEmulator | undefined;
  /** When the page that sent the current setup asked for a start. */
  #since = 0;
  readonly #open: Set<OpenAnswer> = new Set();
  readonly #recall: SetupRecovery = new SetupRecovery();
  /** A problem that no page has heard of yet. */
  #untold: string | undefined;
  /** The emulator that is being created or restored, one at a time. */
  #underway: Promise<unknown>;
  #isWaking = true;

  readonly #options: Omit<RunningOptions, "store">;

  #begin: () => void = () => undefined;

  constructor(options: Omit<RunningOptions, "store">) {
    this.#options = options;
    const begun = new Promise<void>((resolve) => {
      this.#begin = resolve;
    });
    this.#underway = begun.then(() => this.#wake()).catch(this.#fail);
  }

  /**
   * Restores the saved state. It begins at the first event that only an active worker gets, since another worker may
   * change the state until then. Resolves when the emulator is as it was when the worker ended.
   */
  wake(): Promise<unknown> {
    this.#begin();
    return this.#underway;
  }

  readonly #fail = (error: unknown): void => this.#options.observer.failed?.(error);

  /** The core; undefined while there is no emulator. */
  get core(): Core | undefined {
    return this.#running?.core;
  }

  #make(setup: KeptSetup): Promise<RunningEmulator> {
    return RunningEmulator.of(setup, { ...this.#options, store: this.#store });
  }

  async #wake(): Promise<void> {
    try {
      await this.#bringBack();
      if (this.#running === undefined) await this.#refresh();
    } finally {
      this.#isWaking = false;
      if (this.#running === undefined && fixturesUrl === null) void this.#recall.begin();
    }
  }

  async #bringBack(): Promise<void> {
    try {
      const entries = await this.#store.read();
      const valueOf = ([name]: readonly string[]): unknown =>
        entries.find(([key]) => key.length === 1 && key[0] === name)?.[1];
      const setup = valueOf(setupKey) as KeptSetup | undefined;
      if (setup?.version !== version) return;
      const pages = new Map(valueOf(pagesKey) as Iterable<[string, Page]>);
      const running = await this.#make(setup);
      await running.restore(entries);
      this.#pages = pages;
      this.#running = running;
    } catch (error) {
      this.#untold = `The worker cannot restore its saved state and starts over: ${messageOf(error)}`;
      this.#fail(error);
    }
  }

  /** Answers a request of a page, or ignores it. This must be decided synchronously. */
  fetch(event: FetchEvent): void {
    const { request } = event;
    const url = new URL(request.url);
    const isControl = isControlUrl(url);
    if (request.mode === "navigate" && fixturesUrl !== null && !isControl) {
      void this.wake();
      event.waitUntil(this.#inTurn(() => this.#refresh()).catch(this.#fail));
    }
    if (request.mode === "navigate" && isControl) {
      event.respondWith(this.#openConsole(event, url));
      return;
    }
    // A page's own navigations, scripts and images have a destination; fetches of code have none.
    if (!isControl && request.destination !== "") return;
    if (this.#isWaking || this.#recall.awaits(event.clientId))
      event.respondWith(this.#answerLater(event, url));
    else if (this.#answers(event, url)) event.respondWith(this.#answer(event, url));
  }

  /** Opens the console. If the site no longer has this worker, redirects to whatever answers there now. */
  async #openConsole(event: FetchEvent, url: URL): Promise<Response> {
    if (await isServed()) return this.#answerLater(event, url);
    await self.registration.unregister();
    return Response.redirect(url);
  }

  async #answerLater(event: FetchEvent, url: URL): Promise<Response> {
    await this.wake();
    await this.#recall.wait(event.clientId);
    return this.#answers(event, url) ? this.#answer(event, url) : fetch(event.request);
  }

  #answers({ clientId }: FetchEvent, url: URL): boolean {
    if (this.#running === undefined) return false;
    const { core } = this.#running;
    if (isControlUrl(url)) return true;
    if (fixturesUrl === null && this.#pages.get(clientId) === undefined) return false;
    if (core.settings.origins.includes(url.origin)) return true;
    return isOwn(url) && core.route(core.pathBelow(rootFor(url), url.pathname)).known;
  }

  async #answer(event: FetchEvent, url: URL): Promise<Response> {
    const { request, clientId, resultingClientId } = event;
    if (fixturesUrl !== null) await this.#underway;
    const running = this.#running;
    if (running === undefined) return Response.error();
    // The console is a page too: its requests to the interfaces are answered.
    if (request.mode === "navigate") this.#welcome(resultingClientId);
    const leaving = new AbortController();
    const open = { page: clientId, since: performance.now(), leaving };
    this.#open.add(open);
    const signal = AbortSignal.any([request.signal, leaving.signal]);
    const root = rootFor(url);
    const path = running.core.pathBelow(root, url.pathname);
    return new Promise((resolve, reject) => {
      const settled = new Promise<void>((settle) => {
        const session = this.#pages.get(clientId)?.session;
        const changed = (id: string | undefined): void => running.noteRequest(request, path, id);
        const asked = { request, signal, session, root, changed, settled: settle };
        answerPageRequest(running.core, asked)
          .then(resolve, (error: unknown) => {
            settle();
            reject(error);
          })
          // Changes may have been made by an answer that never ends.
          .finally(() => void running.save());
      });
      // Without this, the browser would end a worker without events, even while a body is still being sent.
      event.waitUntil(
        settled.then(() => {
          this.#open.delete(open);
          return running.save();
        }),
      );
    });
  }

  #welcome(id: string): void {
    this.#pages.set(id, { session: undefined, isPassing: false });
    void this.#savePages().catch(this.#fail);
  }

  /** Performs the task of a page, and answers through its port. */
  async answerPage(question: WorkerMessage, client: Client, port: MessagePort): Promise<void> {
    if (question.backlot !== "replace") void this.wake();
    const answer: WorkerAnswer = await this.#do(question, client).then(
      () => ({ ok: true, warnings: this.#warnings() }),
      refusal,
    );
    port.postMessage(answer);
  }

  async #do(question: WorkerMessage, client: Client): Promise<void> {
    switch (question.backlot) {
      case "start":
        return this.#inTurn(() => this.#start(question, client));
      case "stop":
        return this.#inTurn(() => this.#stop(client));
      case "yield":
        return this.#breakOff(({ since }) => performance.now() - since >= longOpen);
      case "replace":
        return self.skipWaiting();
    }
  }

  #breakOff(isMeant: (answer: OpenAnswer) => boolean): void {
    for (const answer of this.#open) if (isMeant(answer)) answer.leaving.abort();
  }

  #warnings(): readonly string[] {
    const warnings = [this.#store.problem, this.#untold];
    this.#untold = undefined;
    return warnings.filter((one) => one !== undefined);
  }

  async #start(question: StartMessage, { id }: Client): Promise<void> {
    const { setup, session, isPassing, since, isAgain } = question;
    // If the worker has lost its state, several pages may start it again. The page that started it last wins.
    if (!isAgain || this.#running === undefined || since > this.#since) {
      await this.#use(setup);
      this.#since = since;
    }
    if (!isAgain || this.#pages.get(id) === undefined) this.#pages.set(id, { session, isPassing });
    await this.#dropGone();
    await self.clients.claim();
    this.#recall.started(id);
  }

  /** Uses a setup, unless it is the current one. */
  async #use(text: string): Promise<void> {
    if (this.#running?.text === text) return;
    const setup: KeptSetup = { version, text, seed: anySeed() };
    const running = await this.#make(setup);
    await this.#running?.retire();
    await this.#store.replace([
      [setupKey, setup],
      [pagesKey, [...this.#pages]],
    ]);
    this.#running = running;
  }

  async #stop({ id }: Client): Promise<void> {
    this.#pages.delete(id);
    this.#breakOff(({ page }) => page === id);
    await this.#dropGone();
  }

  /** Drops closed pages and their sessions. */
  async #dropGone(): Promise<void> {
    const there = await self.clients.matchAll({ includeUncontrolled: true, type: "all" });
    const ids = new Set(there.map(({ id }) => id));
    const gone = [...this.#pages].filter(([id]) => !ids.has(id));
    for (const [id] of gone) this.#pages.delete(id);
    const used = new Set([...this.#pages.values()].map(({ session }) => session));
    for (const [, { session, isPassing }] of gone) {
      if (isPassing && session !== undefined && !used.has(session)) this.#running?.forget(session);
    }
    await Promise.all([this.#savePages(), this.#running?.save()]);
  }

  #savePages(): Promise<void> {
    return this.#store.write({ puts: [[pagesKey, [...this.#pages]]], removals: [] });
  }

  async #refresh(): Promise<void> {
    if (fixturesUrl === null) return;
    const { setupFromUrl } = await import("./setup-from-url.ts");
    await this.#use(await setupFromUrl(fixturesUrl));
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#underway.then(work);
    this.#underway = done.catch(() => undefined);
    return done;
  }
}

function isOwn({ origin }: URL): boolean {
  return origin === self.location.origin;
}

/** The path below which the emulator answers requests to a URL: that of the worker's scope, at its own origin. */
function rootFor(url: URL): string {
  return isOwn(url) ? new URL(self.registration.scope).pathname : "/";
}

function isControlUrl(url: URL): boolean {
  const paths = [url.pathname, pathBelowRoot(url.pathname, rootFor(url))];
  return isOwn(url) && paths.some(isControlPath);
}

/** Whether the site still has this script. Without a network it is assumed to. */
async function isServed(): Promise<boolean> {
  try {
    const { headers, body } = await fetch(location.href, { cache: "no-store" });
    await body?.cancel();
    return /script\b/.test(headers.get("content-type") ?? "");
  } catch {
    return true;
  }
}

function refusal(error: unknown): WorkerAnswer {
  if (isEmulatorError(error)) {
    const { code, message, problems } = error;
    return { ok: false, code, message, problems };
  }
  return { ok: false, code: undefined, message: messageOf(error), problems: [] };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
