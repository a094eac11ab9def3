import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { inspect } from "node:util";
import { type EmulatorError, isEmulatorError } from "../../src/core/errors/emulator-error.ts";
import type { FixtureSet } from "../../src/core/fixture-set/fixture-set.ts";
import { readFixtureFiles } from "../support/read-fixture-files.ts";
import { createEmulator, type Emulator, type EmulatorOptions } from "../../src/index.ts";
import { loadFixtures } from "../../src/fronts/node/load-fixtures.ts";
import { ObserverLog } from "../support/observer-log.ts";
import { answerOf } from "./envelopes.ts";
import { inputFolder } from "./file-watch.ts";
import type { FuzzWorld, Problem } from "./fuzz-kind.ts";

/** A file as it is kept. */
export interface FuzzFile {
  readonly name: string;
  readonly text: string;
}

/** Fixtures that are read, and served where they can be. */
export interface SentFixtures {
  readonly layout: "document" | "folder";
  readonly onDisk: boolean;
  readonly skipUnsupported: boolean;
  /** What the tables are served as. Default: as the fixtures say. */
  readonly tables?: "document" | "starbasedb";
  readonly files: readonly FuzzFile[];
}

/** Asks an emulator of fixtures that loaded whatever else there is to ask. */
export type AskLoaded = (emulator: Emulator) => Promise<Problem>;

const good = { tables: { users: [{ id: 1, name: "Ada" }] } };

/** Reads fixtures: they load and can be served, or are refused with a place for each problem. */
export class FuzzFixtures implements FuzzWorld<SentFixtures> {
  readonly #ask: AskLoaded | undefined;
  /** Made when it is first needed: it is on the disk. */
  #folder: string | undefined;

  constructor(ask?: AskLoaded) {
    this.#ask = ask;
  }

  async try(sent: SentFixtures): Promise<Problem> {
    const set = await this.#read(sent).catch((error: unknown) => error);
    if (isFixtureSet(set)) return this.#serve(set, sent);
    if (isEmulatorError(set)) return refusalProblem(set, sent);
    throw set;
  }

  /** Whether good fixtures are still read. */
  async check(): Promise<Problem> {
    const emulator = await createEmulator({ fixtures: good });
    const rows = JSON.stringify(emulator.tables.users.rows());
    return rows === JSON.stringify(good.tables.users)
      ? undefined
      : `afterwards good fixtures are ${rows}`;
  }

  close(): Promise<void> {
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true });
    return Promise.resolve();
  }

  #read({ layout, onDisk, skipUnsupported, files }: SentFixtures): Promise<FixtureSet> {
    const options = { skipUnsupported, warnOfUnreachable: true, otherTables: [] };
    const path = onDisk ? this.#write(layout, files) : undefined;
    if (path !== undefined) return loadFixtures(path, options);
    const read = files.map(({ name, text }) => ({ path: name, name, text }));
    return readFixtureFiles(read, { ...options, layout });
  }

  /** Undefined where these are no files that a folder can have. */
  #write(layout: SentFixtures["layout"], files: readonly FuzzFile[]): string | undefined {
    const root = (this.#folder ??= mkdtempSync(inputFolder));
    const folder = join(root, "fixtures");
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    for (const { name, text } of files) {
      const path = join(folder, name);
      if (relative(folder, path).startsWith("..")) return undefined;
      try {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, text);
      } catch {
        return undefined;
      }
    }
    const [first] = files;
    return layout === "document" && first !== undefined ? join(folder, first.name) : folder;
  }

  async #serve(set: FixtureSet, { tables }: SentFixtures): Promise<Problem> {
    const log = new ObserverLog();
    const profiles = tables === undefined ? {} : { profiles: { tables } };
    const emulator = await openedOrRefused(set, { observer: log, ...profiles });
    if (emulator === undefined) return undefined;
    const problem =
      (await askTables(emulator)) ?? (await askChat(emulator)) ?? (await askState(emulator));
    const asked = problem ?? (await this.#ask?.(emulator));
    const [error] = log.takeFailures();
    if (error === undefined) return asked;
    return `a failure was reported: ${inspect(error)}`;
  }
}

function isFixtureSet(value: unknown): value is FixtureSet {
  return (
    typeof value === "object" && value !== null && "kind" in value && value.kind === "fixture-set"
  );
}

/** Options of the fixtures may not go together with what is asked for. */
async function openedOrRefused(
  set: FixtureSet,
  options: EmulatorOptions,
): Promise<Emulator | undefined> {
  try {
    return await createEmulator({
      ...options,
      fixtures: set,
      seed: 1,
      speed: 0,
      latency: 0,
      auth: false,
      clock: 0,
      basePath: "/",
    });
  } catch (error) {
    if (isEmulatorError(error)) return undefined;
    throw error;
  }
}

/** A refusal tells of at least one problem, each with its place, and says so in its message. */
function refusalProblem(error: EmulatorError, { files }: SentFixtures): Problem {
  const { code, message, problems } = error;
  if (code !== "ERR_FIXTURES_INVALID")
    return code === "ERR_FIXTURES_UNREADABLE" ? undefined : `refused by ${code}`;
  if (problems.length === 0) return `a refusal without a problem: ${message}`;
  for (const problem of problems) {
    const { file, line, column } = problem;
    // Where there are no files, there is no place.
    if (files.length === 0 || (file !== undefined && hasPlace(line, column))) continue;
    return `a problem without a place: ${JSON.stringify(problem)}`;
  }
  return undefined;
}

/** Some problems are about a file as a whole. */
function hasPlace(line: number | undefined, column: number | undefined): boolean {
  return line === undefined || (line > 0 && column !== undefined && column > 0);
}

/** What SQLite says, its service, and a fault that the fixtures plan. */
const isOwnFailure = /SQLITE_|Failed to|"planned_fault"|fails as planned/;

async function askTables(emulator: Emulator): Promise<Problem> {
  const isSqlite = emulator.core.settings.tablesProfile.name === "starbasedb";
  const names = emulator.core.state.database.names();
  for (const name of isSqlite ? [...names, ...systemTables] : names) {
    // A name with half of a character in it cannot be asked for.
    if (/\p{Cs}/u.test(name)) continue;
    const path = `/rest/${encodeURIComponent(name)}`;
    const problem =
      (await answerProblem(emulator, `${path}?limit=5`)) ??
      (await answerProblem(emulator, path, {
        method: "POST",
        headers: json,
        body: rowFor(name),
      })) ??
      (await answerProblem(emulator, `${path}/1`, { method: "DELETE" }));
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function rowFor(name: string): string {
  return name === "sqlite_sequence" ? '{"name":"users","seq":5}' : "{}";
}

const systemTables = ["sqlite_master", "sqlite_sequence"] as const;
const json = { "content-type": "application/json" };

async function answerProblem(
  emulator: Emulator,
  path: string,
  asked: RequestInit = {},
): Promise<Problem> {
  const { method = "GET" } = asked;
  if (isRecorded(emulator, method, path)) return undefined;
  const answer = await emulator.fetch(path, asked);
  const text = await answer.text();
  if (answer.status < 500 || isOwnFailure.test(text)) return undefined;
  return `${method} ${path} is answered ${answer.status} ${text.slice(0, 200)}`;
}

/** What a cassette has may fail, break off or never end, as it was recorded. */
function isRecorded(emulator: Emulator, method: string, path: string): boolean {
  const [pathname = ""] = path.replace("/rest", "").split("?");
  return emulator.core.fixtures.cassettes.some(({ recordings }) =>
    recordings.some(({ request }) => request.method === method && request.path === pathname),
  );
}

async function askChat(emulator: Emulator): Promise<Problem> {
  const model = emulator.core.fixtures.models[0]?.id ?? "atlas";
  const messages = [{ role: "user", content: "hello" }];
  for (const stream of [false, true]) {
    const asked = emulator.core.handle({
      method: "POST",
      path: "/chat/completions",
      query: "",
      headers: { "content-type": "application/json" },
      readBody: () =>
        Promise.resolve({
          kind: "bytes",
          bytes: Buffer.from(JSON.stringify({ model, messages, stream })),
        }),
      signal: new AbortController().signal,
    });
    const exchange = await asked;
    const answer = answerOf("POST", exchange.reply);
    exchange.settle({ chunksSent: 0, aborted: false });
    if (typeof answer === "string") return answer;
    const { status } = answer;
    if (status !== 0 && (status < 200 || status > 599)) {
      return `a chat is answered with the status ${status}`;
    }
  }
  return undefined;
}

/** What is exported can be imported, and is then exported the same. */
async function askState(emulator: Emulator): Promise<Problem> {
  const exported = await emulator.fetch("/__backlot/state");
  const text = await exported.text();
  if (exported.status === 409) return undefined;
  if (exported.status !== 200)
    return `the state is answered ${exported.status} ${text.slice(0, 300)}`;
  const imported = await emulator.fetch("/__backlot/state", {
    method: "PUT",
    headers: json,
    body: text,
  });
  if (imported.status !== 204)
    return `the own state is refused: ${(await imported.text()).slice(0, 500)}`;
  const again = await (await emulator.fetch("/__backlot/state")).text();
  return again === text ? undefined : `the state changes: ${difference(text, again)}`;
}

function difference(one: string, other: string): string {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  const texts = [one, other].map((text) =>
    JSON.stringify(text.slice(Math.max(0, at - 40), at + 60)),
  );
  return texts.join(" and then ");
}
