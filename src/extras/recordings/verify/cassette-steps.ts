import type {
  NamedCassette,
  RecordedRequest,
  Recording,
  RecordingRules,
} from "../../../core/replay/cassette.ts";
import { isPlaceholder, placeholdersIn } from "../../../core/replay/placeholders.ts";
import { decodedParameter } from "../../../core/http/url-parts.ts";
import { bodyBytes, bodyText } from "../../../core/replay/recorded-body.ts";
import { readPlace } from "../../../core/replay/recording-path.ts";
import { compileRules } from "../../../core/replay/recording-rules.ts";
import { recordedBody } from "./answer.ts";
import { type Shape, addShapes } from "./shape.ts";
import type { VerifyStep } from "./step.ts";

/** The requests of cassettes, in their order. */
export function cassetteSteps(
  cassettes: readonly NamedCassette[],
  rules: RecordingRules,
): readonly VerifyStep[] {
  const compiled = compileRules(rules);
  const stable = (rules.stable ?? []).map(readPlace);
  const firstTakenOut = (text: string): string | undefined =>
    placeholdersIn(text, compiled)[0]?.text;
  // What is asked alike is answered alike: keys that one of these answers lacks are optional.
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
      };
    }),
  );
}

/** Requests of one method to one table, or to one path of chat, that were answered with one status. */
function classOf({ interface: room }: NamedCassette, { request, answer }: Recording): string {
  const [first = "", second, ...more] = request.path.replace(/^\/|\/$/g, "").split("/");
  const isById = room === "rest" || first === "models";
  const rest = second === undefined ? "" : isById ? "/*" : `/${[second, ...more].join("/")}`;
  return `${room} ${request.method} ${first}${rest} ${answer.status}`;
}

/** The texts of a request that its answer hangs on. Nothing can be asked where something in them was taken out. */
function textsThatMatter(
  room: NamedCassette["interface"],
  { path, query = "", headers = {}, body }: RecordedRequest,
): readonly string[] {
  const head = [decodedParameter(path), decodedParameter(query), ...Object.values(headers)];
  if (body === undefined) return head;
  if (!("json" in body)) return [...head, bodyText(body) ?? ""];
  return [...head, ...textsIn(body.json, room === "chat" ? anyText : [])];
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

/** What of a chat request can be any text, so that a placeholder is as good as what it stands for. */
const anyText: readonly RegExp[] = [
  /^\.(?:user|safety_identifier|prompt_cache_key)$/,
  /^\.metadata\./,
  /^\.messages\.\d+\.(?:content|name|refusal|reasoning_content|tool_call_id)$/,
  /^\.messages\.\d+\.content\.\d+\.(?:text|refusal)$/,
  /^\.messages\.\d+\.tool_calls\.\d+\.(?:id|function\.arguments)$/,
  /^\.tools\.\d+\.function\.description$/,
];
