import { counted } from "../../../core/errors/counted.ts";
import { fromBase64 } from "../../../core/replay/base64.ts";
import {
  type Cassette,
  type RecordingRules,
  type SentRequest,
  cassetteText,
} from "../../../core/replay/cassette.ts";
import { isObject } from "../../../core/schema/json.ts";
import { splitEvents } from "../event-stream.ts";
import { Recorder } from "../record/recorder.ts";
import type { SeenAnswer, SeenPart } from "../record/seen-answer.ts";
import { type Imported, type Tell, createRemarks } from "./imported.ts";

/** An entry and its place in the archive. */
interface Placed<Item> {
  readonly index: number;
  readonly item: Item;
}

/** The cassettes of what an HTTP archive has of both interfaces. Keys do not come into them. */
export function importHar(har: Readonly<Record<string, unknown>>, rules: RecordingRules): Imported {
  const { list, tell } = createRemarks();
  const read = inTime(entriesOf(har)).map(({ index, item }) => ({
    index,
    item: readEntry(item),
  }));
  const kept = read.flatMap(({ index, item }) => ("why" in item ? [] : [{ index, item }]));
  const others = read.flatMap(({ index, item }) => ("why" in item ? [{ index, item }] : []));
  tellOthers(others, tell);
  const recorder = new Recorder({ rules, upstreams: upstreamsOf(kept, tell), changed: () => {} });
  for (const { index, item } of kept) {
    for (const remark of item.remarks) tell(["log", "entries", index], remark);
    recorder.begin(item.interface, item.sent).finish(item.seen);
  }
  const files = recorder.cassettes().map((cassette) => ({
    name: `cassettes/${cassette.name}.json`,
    text: cassetteText(cassette),
  }));
  return { files, remarks: list };
}

/** In the order in which they were asked: some tools write them as they were answered. */
function inTime(entries: readonly unknown[]): readonly Placed<Readonly<Record<string, unknown>>>[] {
  return entries
    .map((entry, index) => ({ index, item: isObject(entry) ? entry : {} }))
    .toSorted((left, right) => timeOf(left.item) - timeOf(right.item));
}

function timeOf({ startedDateTime: time }: Readonly<Record<string, unknown>>): number {
  return (typeof time === "string" ? Date.parse(time) : 0) || 0;
}

/** So many of the others are named. */
const mostNamed = 5;

function tellOthers(others: readonly Placed<NoExchange>[], tell: Tell): void {
  for (const { index, item } of others) {
    if (item.why === "incomplete") tell(["log", "entries", index], `left out: ${item.message}`);
  }
  const foreign = others.filter(({ item }) => item.why === "other");
  const [first] = foreign;
  if (first === undefined) return;
  const named = foreign.slice(0, mostNamed).map(({ item }) => item.message);
  const more = foreign.length > mostNamed ? ` and ${foreign.length - mostNamed} more` : "";
  const count = `${counted(foreign.length, "entry")} ${foreign.length === 1 ? "is" : "are"}`;
  tell(
    ["log", "entries", first.index],
    `${count} of neither interface, and left out: ${named.join(", ")}${more}`,
  );
}

/** Where each interface was asked first. Cassettes have one place. */
function upstreamsOf(
  kept: readonly Placed<HarExchange>[],
  tell: Tell,
): Partial<Record<Cassette["interface"], string>> {
  const upstreams: Partial<Record<Cassette["interface"], string>> = {};
  for (const { index, item } of kept) {
    const known = (upstreams[item.interface] ??= item.upstream);
    if (known === item.upstream) continue;
    tell(
      ["log", "entries", index],
      `it was asked at ${item.upstream}, and stands with those of ${known}`,
    );
  }
  return upstreams;
}

type Json = Readonly<Record<string, unknown>>;

/** An entry of an archive that asked one of the two interfaces. */
interface HarExchange {
  readonly interface: Cassette["interface"];
  /** Where the interface is, without credentials. */
  readonly upstream: string;
  readonly sent: SentRequest;
  readonly seen: SeenAnswer;
  /** What is not as it was, in words. */
  readonly remarks: readonly string[];
}

/** Why an entry is no exchange that can be kept. `other`: it asked something else. */
interface NoExchange {
  readonly why: "other" | "incomplete";
  /** What was asked, or what is missing. */
  readonly message: string;
}

const encoder = new TextEncoder();

/** Reads an entry of an archive. */
export function readEntry(entry: Json): HarExchange | NoExchange {
  const request = objectIn(entry["request"]);
  const response = objectIn(entry["response"]);
  const { method = "", url = "" } = request;
  const address = typeof url === "string" && URL.canParse(url) ? new URL(url) : undefined;
  const asked = [method, url]
    .map((part) => (typeof part === "string" ? part.slice(0, 100) : "?"))
    .join(" ");
  const place = address === undefined ? undefined : placeOf(address);
  const isMethod = typeof method === "string" && /^[A-Za-z]{1,20}$/.test(method);
  if (address === undefined || place === undefined || !isMethod)
    return { why: "other", message: asked };
  const body = requestBody(objectIn(request["postData"]), objectIn(request));
  if (typeof body === "string") return { why: "incomplete", message: `${asked}: ${body}` };
  const seen = readResponse(response, entry);
  if (typeof seen === "string") return { why: "incomplete", message: `${asked}: ${seen}` };
  if (place.interface === "rest" && !isOfTables(seen.answer))
    return { why: "other", message: asked };
  return {
    interface: place.interface,
    upstream: `${address.origin}${place.base}`,
    sent: {
      method: method.toUpperCase(),
      path: place.path,
      query: address.search.replace(/^\?/, ""),
      headers: headersOf(request["headers"]),
      body,
    },
    seen: seen.answer,
    remarks: seen.remarks,
  };
}

function objectIn(value: unknown): Json {
  return isObject(value) ? value : {};
}

interface PlaceInUrl {
  readonly interface: Cassette["interface"];
  readonly base: string;
  readonly path: string;
}

/** Which interface an address belongs to, by its path. */
function placeOf({ pathname }: URL): PlaceInUrl | undefined {
  const chat = /^(.*?)(\/chat\/completions|\/models(?:\/[^/]+)?)\/?$/.exec(pathname);
  if (chat !== null) return { interface: "chat", base: chat[1] ?? "", path: chat[2] ?? "" };
  const rest = /^(.*?\/rest)(\/[^/]+(?:\/[^/]+)?)\/?$/.exec(pathname);
  if (rest !== null) return { interface: "rest", base: rest[1] ?? "", path: rest[2] ?? "" };
  return undefined;
}

/** Many services have a path `/rest`: the tables' answers are known by their envelope. */
function isOfTables({ body }: SeenAnswer): boolean {
  const decoder = new TextDecoder();
  const text = (body?.parts ?? [])
    .map(({ bytes }) => decoder.decode(bytes, { stream: true }))
    .join("");
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && (Object.hasOwn(value, "result") || Object.hasOwn(value, "error"));
  } catch {
    return false;
  }
}

function requestBody(post: Json, { bodySize }: Json): Uint8Array | undefined | string {
  const { text, encoding } = post;
  if (typeof text === "string") {
    const bytes = encoding === "base64" ? fromBase64(text) : encoder.encode(text);
    return bytes ?? "its body is no base64";
  }
  return typeof bodySize === "number" && bodySize > 0
    ? "the file does not have its body"
    : undefined;
}

/** Those of one connection, and those that say how the body was packed, which the file has unpacked. */
const notKept = new Set([
  "connection",
  "content-encoding",
  "content-length",
  "keep-alive",
  "transfer-encoding",
  "upgrade",
]);

function headersOf(list: unknown): Readonly<Record<string, string>> {
  const headers = new Map<string, string>();
  for (const item of Array.isArray(list) ? list : []) {
    const { name, value } = objectIn(item);
    if (typeof name !== "string" || typeof value !== "string") continue;
    const key = name.toLowerCase();
    // Those that begin with a colon are HTTP/2's own.
    if (key.startsWith(":") || notKept.has(key)) continue;
    const before = headers.get(key);
    headers.set(key, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(headers);
}

interface ReadAnswer {
  readonly answer: SeenAnswer;
  readonly remarks: readonly string[];
}

function readResponse(response: Json, entry: Json): ReadAnswer | string {
  const { status } = response;
  if (typeof status !== "number" || status < 200 || status > 599) return "it was not answered";
  const bytes = contentBytes(objectIn(response["content"]));
  if (typeof bytes === "string") return bytes;
  const headers = headersOf(response["headers"]);
  const { afterMs, endMs } = timesOf(entry);
  if (bytes.length === 0) return { answer: { status, headers, afterMs }, remarks: [] };
  const isStream = (headers["content-type"] ?? "").includes("text/event-stream");
  const parts = isStream ? spread(bytes, afterMs, endMs) : [{ atMs: endMs, bytes }];
  const isSpread = parts.length > 1 && endMs > afterMs;
  return {
    answer: { status, headers, afterMs, body: { parts, end: { atMs: endMs, how: "close" } } },
    remarks: isSpread
      ? ["when each event came is not in the file: they are spread evenly from the head to the end"]
      : [],
  };
}

function contentBytes({ text, encoding, size }: Json): Uint8Array | string {
  if (typeof text !== "string") {
    const isMissing = typeof size === "number" && size > 0;
    return isMissing ? "the file does not have the body of its answer" : new Uint8Array();
  }
  const bytes = encoding === "base64" ? fromBase64(text) : encoder.encode(text);
  return bytes ?? "the body of its answer is no base64";
}

/** Milliseconds until the head was there, and until all was. Times that are not known are -1. */
function timesOf(entry: Json): { readonly afterMs: number; readonly endMs: number } {
  const { wait, send, receive } = objectIn(entry["timings"]);
  const afterMs = knownTime(send) + knownTime(wait);
  return { afterMs, endMs: afterMs + knownTime(receive) };
}

function knownTime(value: unknown): number {
  return typeof value === "number" && value > 0 ? value : 0;
}

/** The events of a stream, evenly between its head and its end. */
function spread(bytes: Uint8Array, afterMs: number, endMs: number): readonly SeenPart[] {
  const events = splitEvents([{ atMs: 0, bytes }]);
  const gap = events.length > 1 ? (endMs - afterMs) / (events.length - 1) : 0;
  return events.map((event, index) => ({ bytes: event.bytes, atMs: afterMs + index * gap }));
}

function entriesOf({ log }: Readonly<Record<string, unknown>>): readonly unknown[] {
  const entries: unknown = isObject(log) ? log["entries"] : undefined;
  return Array.isArray(entries) ? entries : [];
}
