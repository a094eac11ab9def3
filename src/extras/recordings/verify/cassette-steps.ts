import { isPlaceholder, placeholdersIn } from "../../../core/replay/placeholders.ts";
import { type CompiledRules, compileRules } from "../../../core/replay/recording-rules.ts";
import type {
  NamedCassette,
  RecordedRequest,
  Recording,
  RecordingRules,
} from "../../../core/replay/cassette.ts";
import { bodyBytes, bodyText } from "../../../core/replay/recorded-body.ts";
import { readPlace } from "../../../core/replay/recording-path.ts";
import { recordedBody } from "./answer.ts";
import { type KnownShapes, shapesOf, uniteKnown } from "./compare-shapes.ts";
import type { ComparedRequest, VerifyStep } from "./step.ts";

/** The requests of cassettes, in their order. */
export function cassetteSteps(
  cassettes: readonly NamedCassette[],
  rules: RecordingRules,
): readonly VerifyStep[] {
  const compiled = compileRules(rules);
  const known = knownShapes(cassettes, compiled);
  const stable = (rules.stable ?? []).map(readPlace);
  return cassettes.flatMap((cassette) =>
    cassette.recordings.map((recording, index): VerifyStep => {
      const { request, answer } = recording;
      const asked = askedOf(cassette, recording);
      const found = known.get(classOf(cassette, recording));
      const unsendable = whyUnsendable(cassette.interface, request, compiled);
      return {
        source: { cassette: cassette.name, number: index + 1 },
        interface: cassette.interface,
        asked,
        ...(unsendable === undefined ? {} : { skipped: unsendable }),
        ...(found === undefined ? {} : { known: found }),
        stable,
        isUnfinished: answer.end?.how === "hang",
      };
    }),
  );
}

function askedOf({ interface: room }: NamedCassette, { request }: Recording): ComparedRequest {
  const { method, path, query = "", headers = {}, body } = request;
  const bytes = body === undefined ? undefined : bodyBytes(body);
  return { interface: room, method, path, query, headers, body: bytes };
}

/** What is asked alike is answered alike: keys that one of these answers lacks are optional. */
function knownShapes(
  cassettes: readonly NamedCassette[],
  rules: CompiledRules,
): ReadonlyMap<string, KnownShapes> {
  const found = new Map<string, KnownShapes>();
  for (const cassette of cassettes) {
    for (const recording of cassette.recordings) {
      const name = classOf(cassette, recording);
      const shapes = shapesOf({ body: recordedBody(recording.answer) }, (text) =>
        isPlaceholder(text, rules),
      );
      const before = found.get(name);
      found.set(name, before === undefined ? shapes : uniteKnown(before, shapes));
    }
  }
  return found;
}

/** Requests of one method to one table, or to one path of chat, that were answered with one status. */
function classOf({ interface: room }: NamedCassette, { request, answer }: Recording): string {
  const [first = "", second, ...more] = request.path.replace(/^\/|\/$/g, "").split("/");
  const isById = room === "rest" || first === "models";
  const rest = second === undefined ? "" : isById ? "/*" : `/${[second, ...more].join("/")}`;
  return `${room} ${request.method} ${first}${rest} ${answer.status}`;
}

/** Why a request cannot be asked of a service: something in it was taken out that the answer hangs on. */
function whyUnsendable(
  room: "chat" | "rest",
  request: RecordedRequest,
  rules: CompiledRules,
): string | undefined {
  const found =
    firstIn([decoded(request.path), decoded(request.query ?? "")], rules) ??
    firstIn(Object.values(request.headers ?? {}), rules) ??
    inBody(room, request, rules);
  return found === undefined ? undefined : `its ${found} was taken out when it was recorded`;
}

function firstIn(texts: readonly string[], rules: CompiledRules): string | undefined {
  return texts.flatMap((text) => placeholdersIn(text, rules))[0]?.text;
}

/** As a query is decoded. What cannot be is left as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

function inBody(
  room: "chat" | "rest",
  { body }: RecordedRequest,
  rules: CompiledRules,
): string | undefined {
  if (body === undefined) return undefined;
  if ("json" in body) return inJson(body.json, { room, rules, place: [] });
  return firstIn([bodyText(body) ?? ""], rules);
}

interface Search {
  readonly room: "chat" | "rest";
  readonly rules: CompiledRules;
  readonly place: readonly string[];
}

function inJson(value: unknown, search: Search): string | undefined {
  if (typeof value === "string") {
    return isAnyText(search) ? undefined : firstIn([value], search.rules);
  }
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, below] of Object.entries(value)) {
    const found = inJson(below, { ...search, place: [...search.place, key] });
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What of a chat request can be any text, so that a placeholder is as good as what it stands for. */
const anyText: readonly RegExp[] = [
  /^(?:user|safety_identifier|prompt_cache_key)$/,
  /^metadata\./,
  /^messages\.\d+\.(?:content|name|refusal|reasoning_content|tool_call_id)$/,
  /^messages\.\d+\.content\.\d+\.(?:text|refusal)$/,
  /^messages\.\d+\.tool_calls\.\d+\.(?:id|function\.arguments)$/,
  /^tools\.\d+\.function\.description$/,
];

function isAnyText({ room, place }: Search): boolean {
  const path = place.join(".");
  return room === "chat" && anyText.some((pattern) => pattern.test(path));
}
