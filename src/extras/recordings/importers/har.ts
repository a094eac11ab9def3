import { counted } from "../../../core/errors/show.ts";
import {
  type Cassette,
  type RecordingRules,
  type SentRequest,
  cassetteText,
} from "../../../core/recordings/cassette.ts";
import {
  asObject,
  defined,
  isObject,
  type JsonObject,
  parseJson,
} from "../../../core/schema/json.ts";
import { isEventStream, splitEvents } from "../event-stream.ts";
import { Recorder, type ReceivedAnswer } from "../record/recorder.ts";
import type { Imported, ImportRemark } from "./imported.ts";
import { abortReason, bodyBytes, type RecordedEntry, type Unpack } from "./recorded-entries.ts";
import { joinBytes } from "../../../core/http/bytes.ts";
import { connectionHeaders, joinedHeaders } from "../../../core/http/reply.ts";

/** The cassettes of an HTTP archive's exchanges with both interfaces. Cassettes have no keys. */
export function importHar(har: JsonObject, rules: RecordingRules): Imported {
  return importEntries(harEntries(har), rules);
}

/** The entries of an HTTP archive. */
export function harEntries(har: JsonObject): readonly RecordedEntry[] {
  const entries = asObject(har["log"])?.["entries"];
  return (Array.isArray(entries) ? entries : []).map((entry: unknown, index) => ({
    entry: asObject(entry) ?? {},
    path: ["log", "entries", index],
  }));
}

/** The cassettes of recorded exchanges with both interfaces, from one or several files. Cassettes have no keys. */
export function importEntries(
  entries: readonly RecordedEntry[],
  rules: RecordingRules,
  unpack?: Unpack,
): Imported {
  const list: ImportRemark[] = [];
  const tell = ({ file, path }: RecordedEntry, message: string): void => {
    list.push({ path, message, ...defined({ file }) });
  };
  const read = entries
    // Sorted by the time of the request, since some tools write entries in the order of the answers.
    .toSorted((left, right) => timeOf(left.entry) - timeOf(right.entry))
    .map((recorded) => ({
      recorded,
      at: timeOf(recorded.entry),
      found: readEntry(recorded.entry, unpack),
    }));
  const first = read.find(({ at, found: { kind } }) => kind === "exchange" && at > 0);
  const recordedAt = first && new Date(first.at).toISOString();
  const upstreams: Partial<Record<Cassette["interface"], string>> = {};
  const recorder = new Recorder({ rules, upstreams, recordedAt, changed: () => {} });
  for (const { recorded, found } of read) {
    if (found.kind === "incomplete") tell(recorded, `left out: "${found.asked}": ${found.why}`);
    if (found.kind !== "exchange") continue;
    const { interface: asked, upstream, sent, seen } = found;
    const known = (upstreams[asked] ??= upstream);
    if (known !== upstream)
      tell(recorded, `it was sent to ${upstream}, but is stored with those sent to ${known}`);
    if (isSpread(seen)) {
      tell(
        recorded,
        "the file does not say when each event came: they are spread evenly over the answer",
      );
    }
    recorder.begin(asked, sent).finish(seen);
  }
  tellForeign(
    read.flatMap(({ recorded, found }) =>
      found.kind === "foreign" ? [{ recorded, asked: found.asked }] : [],
    ),
    tell,
  );
  const likely = Object.entries(recorder.likelySecrets());
  if (likely.length > 0) {
    const kinds = likely.map(([kind, count]) => `${count} × ${kind}`).join(", ");
    const done = rules.secrets === "warn" ? "kept" : "replaced";
    list.push({ path: [], message: `${done} what looks like secrets: ${kinds}` });
  }
  const files = recorder.cassettes().map((cassette) => ({
    name: `cassettes/${cassette.name}.json`,
    text: cassetteText(cassette),
  }));
  return { files, remarks: list };
}

function timeOf({ startedDateTime: time }: JsonObject): number {
  return (typeof time === "string" ? Date.parse(time) : 0) || 0;
}

/** The most entries of neither interface that are named. */
const mostNamed = 5;

function tellForeign(
  foreign: readonly { readonly recorded: RecordedEntry; readonly asked: string }[],
  tell: (recorded: RecordedEntry, message: string) => void,
): void {
  const [first] = foreign;
  if (first === undefined) return;
  const asked = [...new Set(foreign.map((one) => one.asked))];
  const named = asked.slice(0, mostNamed);
  const more = asked.length > mostNamed ? ` and ${asked.length - mostNamed} more` : "";
  const count = counted(foreign.length, "entry");
  tell(first.recorded, `left out: ${count} of neither interface: ${named.join(", ")}${more}`);
}

/**
 * An entry of an archive: an exchange with one of the two interfaces, an incomplete one, or one with another service.
 */
type Entry =
  | {
      readonly kind: "exchange";
      readonly interface: Cassette["interface"];
      /** The URL of the interface, without credentials. */
      readonly upstream: string;
      readonly sent: SentRequest;
      readonly seen: ReceivedAnswer;
    }
  | { readonly kind: "incomplete"; readonly asked: string; readonly why: string }
  | { readonly kind: "foreign"; readonly asked: string };

function readEntry(entry: JsonObject, unpack: Unpack | undefined): Entry {
  const request = asObject(entry["request"]) ?? {};
  const [method, url] = [textIn(request["method"]), textIn(request["url"])];
  const asked = `${method.slice(0, 100)} ${url.slice(0, 100)}`;
  const place = placeOf(url);
  if (place === undefined || !/^[A-Za-z]{1,20}$/.test(method)) return { kind: "foreign", asked };
  const aborted = abortReason(entry);
  if (aborted !== undefined) return { kind: "incomplete", asked, why: aborted };
  const { postData, bodySize: size } = request;
  const { "content-encoding": packing } = rawHeaders(request["headers"]);
  const body = bodyBytes({ size, ...asObject(postData) }, packing, unpack);
  if (body === undefined) {
    return { kind: "incomplete", asked, why: "its body is missing from the file, or not base64" };
  }
  const seen = readAnswer(entry, unpack);
  if (typeof seen === "string") return { kind: "incomplete", asked, why: seen };
  if (!place.isAnswer(seen)) return { kind: "foreign", asked };
  const { path, query } = place;
  const headers = headersOf(request["headers"]);
  const sent = { method: method.toUpperCase(), path, query, headers, body };
  return { kind: "exchange", interface: place.interface, upstream: place.upstream, sent, seen };
}

function textIn(value: unknown): string {
  return typeof value === "string" ? value : "?";
}

interface PlaceOfUrl extends Pick<SentRequest, "path" | "query"> {
  readonly interface: Cassette["interface"];
  readonly upstream: string;
  readonly isAnswer: AddressForm["isAnswer"];
}

/** The form of an interface's addresses and answers. */
interface AddressForm {
  readonly interface: Cassette["interface"];
  /** The address of the service, and the path below it. */
  readonly pattern: RegExp;
  /** Whether an answer can come from the interface, since other services have such paths, too. */
  readonly isAnswer: (seen: ReceivedAnswer) => boolean;
}

const forms: readonly AddressForm[] = [
  {
    interface: "chat",
    pattern: /^(.*?)(\/chat\/completions|\/responses|\/embeddings|\/models(?:\/[^/]+)?)\/?$/,
    isAnswer: () => true,
  },
  {
    interface: "tables",
    pattern: /^(.*?\/rest)(\/[^/]+(?:\/[^/]+)?)\/?$/,
    isAnswer: isOfTables,
  },
];

/** The interface that an address belongs to, by its path. Undefined: neither. */
function placeOf(url: string): PlaceOfUrl | undefined {
  if (!URL.canParse(url)) return undefined;
  const { origin, pathname, search } = new URL(url);
  const form = forms.find(({ pattern }) => pattern.test(pathname));
  const [, base = "", path = ""] = form?.pattern.exec(pathname) ?? [];
  if (form === undefined) return undefined;
  const query = search.replace(/^\?/, "");
  const { interface: asked, isAnswer } = form;
  return { interface: asked, upstream: `${origin}${base}`, path, query, isAnswer };
}

/** Whether an answer has the envelope of tables, since many services have a path `/rest`. */
function isOfTables({ body }: ReceivedAnswer): boolean {
  const bytes = joinBytes((body?.parts ?? []).map((part) => part.bytes));
  const value = parseJson(new TextDecoder().decode(bytes));
  return isObject(value) && (Object.hasOwn(value, "result") || Object.hasOwn(value, "error"));
}

/** Headers that say how the body was packed. They are dropped, since the file has the body unpacked. */
const ofPackedBody: readonly string[] = ["content-encoding", "content-length"];

/** Headers by lower-case name, with the values in the file. */
function rawHeaders(list: unknown): Readonly<Record<string, string>> {
  const lines = (Array.isArray(list) ? list : []).map((item): [string, string] => {
    const { name, value } = asObject(item) ?? {};
    return [String(name).toLowerCase(), String(value)];
  });
  return Object.fromEntries(lines);
}

function headersOf(list: unknown): Readonly<Record<string, string>> {
  const lines = (Array.isArray(list) ? list : []).flatMap((item): [string, string][] => {
    const { name, value } = asObject(item) ?? {};
    if (typeof name !== "string" || typeof value !== "string") return [];
    const key = name.toLowerCase();
    const isOfHttp2 = key.startsWith(":");
    const isLeftOut = isOfHttp2 || connectionHeaders.has(key) || ofPackedBody.includes(key);
    return isLeftOut ? [] : [[key, value]];
  });
  return joinedHeaders(lines);
}

/** The answer of an entry, or why it is missing. */
function readAnswer(entry: JsonObject, unpack: Unpack | undefined): ReceivedAnswer | string {
  const { status, content, headers: list } = asObject(entry["response"]) ?? {};
  if (typeof status !== "number" || status < 200 || status > 599) return "it got no answer";
  const { "content-encoding": packing } = rawHeaders(list);
  const bytes = bodyBytes(asObject(content) ?? {}, packing, unpack);
  if (bytes === undefined) return "the body of its answer is missing from the file, or not base64";
  const { send, wait, receive } = asObject(entry["timings"]) ?? {};
  const afterMs = positive(send) + positive(wait);
  const endMs = afterMs + positive(receive);
  const headers = headersOf(list);
  if (bytes.length === 0) return { status, headers, afterMs };
  const isStream = isEventStream(headers["content-type"], bytes);
  const events = isStream ? splitEvents([{ atMs: 0, bytes }]) : [];
  const gap = (endMs - afterMs) / (events.length - 1);
  const parts =
    events.length > 1
      ? events.map((event, index) => ({ bytes: event.bytes, atMs: afterMs + index * gap }))
      : [{ atMs: endMs, bytes }];
  return { status, headers, afterMs, body: { parts, end: { atMs: endMs, how: "close" } } };
}

/** A size or a time in milliseconds; 0 if it is unknown, which archives write as -1. */
function positive(value: unknown): number {
  return typeof value === "number" && value > 0 ? value : 0;
}

/** Whether an answer's times were made up, since the file does not say when its parts came. */
function isSpread({ afterMs, body }: ReceivedAnswer): boolean {
  return body !== undefined && body.parts.length > 1 && body.end.atMs > afterMs;
}
