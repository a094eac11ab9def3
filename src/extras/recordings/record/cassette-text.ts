import type {
  Cassette,
  RecordedAnswer,
  RecordedBody,
  RecordedPart,
  RecordedRequest,
  Recording,
} from "../../../core/replay/cassette.ts";

/** The file of a cassette: its keys in one order, each on a line, so that a difference reads well. */
export function cassetteText({ interface: asked, upstream, recordings }: Cassette): string {
  const texts = recordings.map((recording) => `    ${recordingText(recording)}`);
  const list = texts.length === 0 ? "[]" : `[\n${texts.join(",\n")}\n  ]`;
  return `{
  "interface": ${JSON.stringify(asked)},
  "upstream": ${JSON.stringify(upstream)},
  "recordings": ${list}
}
`;
}

/** A cassette is written anew for each recording that it gets: those before it are the same texts. */
const texts: WeakMap<Recording, string> = new WeakMap();

function recordingText(recording: Recording): string {
  const known = texts.get(recording);
  if (known !== undefined) return known;
  const { request, answer } = recording;
  const ordered = { request: orderedRequest(request), answer: orderedAnswer(answer) };
  // No text in JSON has a line break of its own.
  const text = JSON.stringify(ordered, undefined, 2).replaceAll("\n", "\n    ");
  texts.set(recording, text);
  return text;
}

function orderedRequest({ method, path, query, headers, body }: RecordedRequest): RecordedRequest {
  return {
    method,
    path,
    ...(query === undefined ? {} : { query }),
    ...(headers === undefined ? {} : { headers: byName(headers) }),
    ...(body === undefined ? {} : { body: orderedBody(body) }),
  };
}

function orderedAnswer(answer: RecordedAnswer): RecordedAnswer {
  const { status, headers, afterMs, body, stream, end } = answer;
  return {
    status,
    headers: byName(headers),
    afterMs,
    ...(body === undefined ? {} : { body: orderedBody(body) }),
    ...(stream === undefined ? {} : { stream: stream.map(orderedPart) }),
    ...(end === undefined ? {} : { end: { atMs: end.atMs, how: end.how } }),
  };
}

function orderedBody(body: RecordedBody): RecordedBody {
  if ("text" in body) return { text: body.text };
  if ("base64" in body) return { base64: body.base64 };
  const { json, indent, end } = body;
  return {
    json,
    ...(indent === undefined ? {} : { indent }),
    ...(end === undefined ? {} : { end }),
  };
}

function orderedPart(part: RecordedPart): RecordedPart {
  const { atMs } = part;
  return "text" in part ? { atMs, text: part.text } : { atMs, base64: part.base64 };
}

function byName(headers: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(headers);
  return Object.fromEntries(entries.toSorted(([left], [right]) => (left < right ? -1 : 1)));
}
