import { type InterfaceName, interfaces } from "../../../core/interface.ts";
import type { Extras } from "../../../core/emulator/extras.ts";
import { type EmulatorError, invalidOption } from "../../../core/errors/emulator-error.ts";
import type { FixtureSet } from "../../../core/fixture-set/fixture-set.ts";
import type { EmulatorSettings } from "../../../core/settings/settings.ts";
import type { Timers } from "../../../core/http/scheduler.ts";
import { isPlaceholder, placeholdersIn } from "../replay/placeholders.ts";
import { defined } from "../../../core/schema/json.ts";
import { type CompiledRules, compileRules } from "../../../core/recordings/recording-rules.ts";
import {
  type ComparedRequest,
  type AskEmulator,
  askService,
  emulatorOf,
  type RequestTimeout,
  serviceAt,
  limitRate,
  type Target,
} from "./ask.ts";
import { compareAnswers, type AnswerPair, type Drift, type Shape, addShapes } from "./compare.ts";
import { contractSteps, subjectOf, type VerifyStep, requestLine } from "./contract.ts";
import { type VerifiedRequest, type VerifyReport, countOutcomes } from "./report.ts";
import { escapeRegex } from "../scripts/conditions.ts";
import type {
  NamedCassette,
  RecordedRequest,
  Recording,
  RecordingRules,
} from "../../../core/recordings/cassette.ts";
import { decodedParameter } from "../../../core/http/url-parts.ts";
import { bodyBytes, bodyText } from "../../../core/recordings/recorded-body.ts";
import { readPlace } from "../../../core/recordings/recording-path.ts";
import { recordedBody } from "./answer.ts";

/** What to verify, and against which service. */
export interface VerifySetup {
  readonly fixtures: FixtureSet;
  /** The real chat service, up to `/v1`, such as `https://api.example.com/v1`. */
  readonly against?: string | undefined;
  /** The real tables service, up to `/rest`, such as `https://db.example.com/rest`. */
  readonly tablesAgainst?: string | undefined;
  /** The service's key for chat. */
  readonly apiKey?: string | undefined;
  /** The service's token for tables. */
  readonly token?: string | undefined;
  /** Whether to send requests that change something. Rows that they create are deleted again. Default: false. */
  readonly writes?: boolean | undefined;
  /**
   * Whether to verify only cassettes or only the contract. Default: the cassettes of each interface, or the contract if
   * it has none.
   */
  readonly only?: "cassettes" | "contract" | undefined;
  /** The most requests per second. Default: 5. */
  readonly rate?: number | undefined;
  /** How many milliseconds an answer of the service may take. Default: 60,000. */
  readonly timeoutMs?: number | undefined;
  /**
   * An answer that takes this many times as long as its recording counts as different. Default: times are not compared.
   */
  readonly slowerThan?: number | undefined;
  /** The emulator's settings, which win over those in the fixtures. */
  readonly settings?: EmulatorSettings | undefined;
}

/** The environment of a verification. */
interface VerifySurroundings {
  /** The global `fetch`, or a function like it. */
  readonly fetch: Target["fetch"];
  readonly timers: Timers;
  /** The extras of the emulator. Default: none. */
  readonly extras?: Extras;
  /** A random number from 0 up to but not including 1. */
  readonly random: () => number;
}

/** The requests of a verification, ready to be sent one after another. */
export interface Verification {
  readonly steps: readonly VerifyStep[];
  /** Sends a request to both sides and compares the answers. Rejects if the service cannot be reached. */
  readonly run: (step: VerifyStep) => Promise<VerifiedRequest>;
}

const defaultRate = 5;
const defaultTimeoutMs = 60_000;

/** Prepares the requests. Rejects with `ERR_OPTION_INVALID` if there are none. */
export async function prepareVerification(
  setup: VerifySetup,
  { fetch, timers, random, extras = {} }: VerifySurroundings,
): Promise<Verification> {
  const { fixtures, only, writes = false, against, tablesAgainst } = setup;
  if (against === undefined && tablesAgainst === undefined) {
    throw refusal("no service was named. Name one with --against <url> or --tables-against <url>.");
  }
  const cassettes = only === "contract" ? [] : fixtures.cassettes;
  if (only === "cassettes" && cassettes.length === 0) {
    throw refusal("the fixtures have no cassettes. Record some with backlot record.");
  }
  const keys = { chat: setup.apiKey, tables: setup.token };
  const target = (room: keyof typeof keys, url: string | undefined): Target | undefined =>
    url === undefined ? undefined : serviceAt({ url, key: keys[room], fetch });
  const service = { chat: target("chat", against), tables: target("tables", tablesAgainst) };
  const patience = { timers, timeoutMs: setup.timeoutMs ?? defaultTimeoutMs };
  const settings = { ...setup.settings, strict: false };
  // The fixtures' saved state is dropped, so that recordings are replayed from the first and no planned fault acts.
  const recorded = emulatorOf({ ...fixtures, state: {} }, settings, extras);
  // Scripts and recordings are dropped, since they would answer in place of the interfaces themselves.
  const withoutScripts = { ...fixtures, scripts: [], cassettes: [], state: {} };
  const bare = emulatorOf(withoutScripts, settings, extras);
  const subject = await subjectOf(fixtures, bare, patience);
  const replayed = new Set(cassettes.map((cassette) => cassette.interface));
  const checks = contractSteps(subject, { writes, keys, random: random() }).filter(
    ({ interface: room }) => !replayed.has(room) && service[room] !== undefined,
  );
  const context: Omit<VerifyContext, "emulator"> = {
    service,
    patience: { ...patience, turn: limitRate(setup.rate ?? defaultRate, timers) },
    rules: compileRules(fixtures.recording),
    writes,
    slowerThan: setup.slowerThan ?? Infinity,
  };
  return {
    steps: [
      ...cassetteSteps(cassettes, fixtures.recording),
      ...(only === "cassettes" ? [] : checks),
    ],
    run: (step) =>
      verifyStep(step, { ...context, emulator: "check" in step.source ? bare : recorded }),
  };
}

/** Sends all requests one after another, and makes the report. */
export async function verify(
  setup: VerifySetup,
  surroundings: VerifySurroundings,
): Promise<VerifyReport> {
  const { steps, run } = await prepareVerification(setup, surroundings);
  const requests: VerifiedRequest[] = [];
  for (const step of steps) requests.push(await run(step));
  const against = defined({ chat: setup.against, tables: setup.tablesAgainst });
  return { version: 1, against, counts: countOutcomes(requests), requests };
}

function refusal(problem: string): EmulatorError {
  return invalidOption(`Cannot verify: ${problem}`);
}

/** Where requests are sent, and how answers are compared. */
interface VerifyContext {
  readonly service: Readonly<Record<ComparedRequest["interface"], Target | undefined>>;
  readonly emulator: AskEmulator;
  readonly patience: RequestTimeout & { readonly turn: () => Promise<void> };
  readonly rules: CompiledRules;
  /** Whether requests that change something are sent. */
  readonly writes: boolean;
  /** How many times as long as its recording an answer may take. */
  readonly slowerThan: number;
}

/**
 * How long to wait for an emulator's stream that never ends, in milliseconds. Since it has no delays, everything
 * arrives within that time.
 */
const unfinishedMs = 300;

/**
 * Sends a request to the service and the emulator, and compares the answers. Rejects if the service cannot be reached.
 */
async function verifyStep(step: VerifyStep, context: VerifyContext): Promise<VerifiedRequest> {
  const { source, interface: room, asked } = step;
  const { patience, emulator } = context;
  const request = asked === undefined ? undefined : requestLine(asked);
  const head = { source, interface: room, request };
  const skip = (reason: string): VerifiedRequest => {
    return { ...head, outcome: "skipped", reason, drifts: [], leftOut: [], durationMs: 0 };
  };
  const reason = whySkipped(step, context);
  const target = context.service[room];
  if (asked === undefined || target === undefined || reason !== undefined)
    return skip(reason ?? "");
  await patience.turn();
  const began = patience.timers.now();
  const given = await askService(asked, target, patience);
  const durationMs = Math.round(patience.timers.now() - began);
  const timeoutMs = step.isUnfinished === true ? unfinishedMs : patience.timeoutMs;
  const expected = given && (await emulator(asked, { ...patience, timeoutMs }));
  if (given === undefined || expected === undefined) return skip("it cannot be sent as a request");
  const compared = compareStep(step, { service: given, emulator: expected }, context);
  const { leftOut } = compared;
  const drifts = [...compared.drifts, ...slowness(step, durationMs, context)];
  return {
    ...head,
    outcome: drifts.length === 0 ? "same" : "drift",
    drifts: drifts.map((drift) => withoutKeys(drift, context)),
    leftOut,
    durationMs,
  };
}

/** The least difference in milliseconds that counts as slow. A smaller one may come from the network. */
const noticeableMs = 50;

/** The difference to report for an answer that took too much longer than its recording. */
function slowness(
  { recordedMs }: VerifyStep,
  durationMs: number,
  { slowerThan }: VerifyContext,
): readonly Drift[] {
  if (recordedMs === undefined || durationMs <= recordedMs * slowerThan) return [];
  if (durationMs - recordedMs < noticeableMs) return [];
  return [{ place: "time", service: `${durationMs} ms`, emulator: `${recordedMs} ms as recorded` }];
}

const noService: Readonly<Record<InterfaceName, string>> = {
  chat: "chat has no URL (--against)",
  tables: "the tables have no URL (--tables-against)",
};

function whySkipped(
  { asked, skipped: reason, interface: room }: VerifyStep,
  { service, writes }: VerifyContext,
): string | undefined {
  if (reason !== undefined || asked === undefined) return reason;
  if (service[room] === undefined) {
    return noService[room];
  }
  // Creating a completion counts as reading, since it changes nothing that others see.
  const isCompletion =
    interfaces[room].hasModels && /^\/(?:chat\/completions|responses)\/?$/.test(asked.path);
  const reads = ["GET", "HEAD", "OPTIONS", ...(isCompletion ? ["POST"] : [])];
  return writes || reads.includes(asked.method)
    ? undefined
    : "it may change something; --writes sends it";
}

function compareStep(
  { known, stable, facts = [], isUnfinished = false }: VerifyStep,
  sides: AnswerPair,
  { rules }: VerifyContext,
): ReturnType<typeof compareAnswers> {
  const isRedacted = (text: string): boolean => isPlaceholder(text, rules);
  const { volatile } = rules;
  const found = compareAnswers(sides, { stable, volatile, isRedacted, isUnfinished, known });
  // Conditions are only checked in successful answers.
  const [given, expected] = [sides.service, sides.emulator].map(({ status, body }) =>
    status === 200 && body.kind === "json" ? body.value : undefined,
  );
  if (given === undefined || expected === undefined) return found;
  const drifts = facts.flatMap(({ name, holds }): readonly Drift[] => {
    const [service, emulator] = [holds(given), holds(expected)];
    if (service === emulator) return [];
    const place = `body.result: ${name}`;
    return [{ place, service: service ? "yes" : "no", emulator: emulator ? "yes" : "no" }];
  });
  return { ...found, drifts: [...found.drifts, ...drifts] };
}

/** The length below which a key is only redacted as a whole word, since it may be part of other words. */
const shortestAnywhere = 6;

/** Removes keys, which a service may repeat in an error or a header. */
function withoutKeys(drift: Drift, { service: { chat, tables } }: VerifyContext): Drift {
  const patterns = [chat?.key, tables?.key].flatMap((key) => {
    if (key === undefined || key === "") return [];
    const literal = escapeRegex(key);
    const isShort = key.length < shortestAnywhere;
    return [new RegExp(isShort ? `(?<!\\w)${literal}(?!\\w)` : literal, "g")];
  });
  const clean = (text: string): string =>
    patterns.reduce((left, pattern) => left.replaceAll(pattern, "[key]"), text);
  const { place, service, emulator } = drift;
  return { place: clean(place), service: clean(service), emulator: clean(emulator) };
}

/** The requests of cassettes, in their order. */
function cassetteSteps(
  cassettes: readonly NamedCassette[],
  rules: RecordingRules,
): readonly VerifyStep[] {
  const compiled = compileRules(rules);
  const stable = (rules.stable ?? []).map(readPlace);
  const firstTakenOut = (text: string): string | undefined =>
    placeholdersIn(text, compiled)[0]?.text;
  // Requests of the same kind should have the same keys in their answers. A key that only some of these answers have is
  // optional.
  const known = new Map<string, Map<string, Shape>>();
  return cassettes.flatMap((cassette) =>
    cassette.recordings.map((recording, index): VerifyStep => {
      const { interface: room, name } = cassette;
      const { request, answer } = recording;
      const { method, path, query = "", headers = {}, body } = request;
      const bytes = body === undefined ? undefined : bodyBytes(body);
      const alike = classOf(cassette, recording);
      const shapes = known.get(alike) ?? new Map<string, Shape>();
      known.set(alike, shapes);
      addShapes(recordedBody(answer), (text) => isPlaceholder(text, compiled), shapes);
      const takenOut = textsThatMatter(room, request)
        .map(firstTakenOut)
        .find((text) => text !== undefined);
      return {
        source: { cassette: name, number: index + 1 },
        interface: room,
        asked: { interface: room, method, path, query, headers, body: bytes },
        skipped: takenOut && `its ${takenOut} was redacted when it was recorded`,
        known: shapes,
        stable,
        isUnfinished: answer.end?.how === "hang",
        recordedMs: answer.end?.how === "hang" ? undefined : (answer.end?.atMs ?? answer.afterMs),
      };
    }),
  );
}

/** The kind of a request: its method, its table or its path in chat, and the status of its answer. */
function classOf({ interface: room }: NamedCassette, { request, answer }: Recording): string {
  const [first = "", second, ...more] = request.path.replace(/^\/|\/$/g, "").split("/");
  const isById = interfaces[room].isOfTable !== undefined || first === "models";
  const below = isById ? "*" : [second, ...more].join("/");
  const rest = second === undefined ? "" : `/${below}`;
  return `${room} ${request.method} ${first}${rest} ${answer.status}`;
}

/** The texts of a request that affect its answer. If one of them was redacted, the request cannot be sent. */
function textsThatMatter(
  room: NamedCassette["interface"],
  { path, query = "", headers = {}, body }: RecordedRequest,
): readonly string[] {
  const head = [decodedParameter(path), decodedParameter(query), ...Object.values(headers)];
  if (body === undefined) return head;
  if (!("json" in body)) return [...head, bodyText(body) ?? ""];
  return [...head, ...textsIn(body.json, interfaces[room].hasModels ? anyText : [])];
}

function textsIn(value: unknown, ignored: readonly RegExp[], place = ""): readonly string[] {
  if (typeof value === "string") {
    return ignored.some((pattern) => pattern.test(place)) ? [] : [value];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, below]) =>
    textsIn(below, ignored, `${place}.${key}`),
  );
}

/** The places in a chat request that may contain any text, so that a placeholder is as good as the original. */
const anyText: readonly RegExp[] = [
  /^\.(?:user|safety_identifier|prompt_cache_key)$/,
  /^\.metadata\./,
  /^\.messages\.\d+\.(?:content|name|refusal|reasoning_content|tool_call_id)$/,
  /^\.messages\.\d+\.content\.\d+\.(?:text|refusal)$/,
  /^\.messages\.\d+\.tool_calls\.\d+\.(?:id|function\.arguments)$/,
  /^\.tools\.\d+\.function\.description$/,
];
