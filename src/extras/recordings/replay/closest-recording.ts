import { counted } from "../../../core/errors/show.ts";
import type { ClosestRecording } from "../../../core/http/answerer.ts";
import { isSecretHeader, isSecretName } from "../../../core/http/secret-names.ts";
import type { RecordedRequest } from "../../../core/recordings/cassette.ts";
import type { PlacedRecording, RecordingBook } from "./recording-book.ts";
import { type Difference, requestDifferences } from "./request-differences.ts";

/**
 * The recording whose request differs least from the given one; the first of several equal ones. Undefined if there are
 * no recordings. `hideKeys` redacts keys in a text, so that differences do not show them.
 */
export function closestRecording(
  book: RecordingBook,
  request: RecordedRequest,
  hideKeys: (text: string) => string = (text) => text,
): ClosestRecording | undefined {
  // Keys are hidden before the comparison: an excerpt in a difference could contain half of a key.
  const sent = withTexts(request, hideKeys);
  let closest: PlacedRecording | undefined;
  let found: readonly Difference[] = [];
  let least = Infinity;
  for (const one of book.all) {
    const differences: Difference[] = [];
    let distance = 0;
    for (const difference of requestDifferences(one.recording.request, sent, one.rules)) {
      distance += difference.weight;
      // The differences only add up, so this recording cannot be the closest.
      if (distance >= least) break;
      differences.push(difference);
    }
    if (distance >= least) continue;
    least = distance;
    closest = one;
    found = differences;
  }
  if (closest === undefined) return undefined;
  const { cassette, index } = closest;
  const differences = found
    .map((difference) => withTexts(shown(difference), hideKeys))
    .filter(({ recorded, sent: other }) => recorded !== other);
  return { cassette, number: index + 1, differences };
}

/** The value with every text in it changed. */
function withTexts<Value>(value: Value, change: (text: string) => string): Value {
  return JSON.parse(
    JSON.stringify(value, (_, inner: unknown) =>
      typeof inner === "string" ? change(inner) : inner,
    ),
  );
}

function shown({ at, recorded, sent }: Difference): ClosestRecording["differences"][number] {
  const [head, ...steps] = at.split(".");
  const isSecret =
    head === "body"
      ? steps.some(isSecretName)
      : steps.length > 0 && isSecretHeader(steps.join("."));
  return {
    at,
    ...(recorded === undefined ? {} : { recorded }),
    ...(sent === undefined ? {} : { sent: isSecret ? JSON.stringify("***") : sent }),
  };
}

/** The most differences that a message lists. The others are counted. */
const mostTold = 5;

/** Why a request is refused, and the closest recording, in words. */
export function describeUnrecorded(
  { method, path }: RecordedRequest,
  closest: ClosestRecording | undefined,
): string {
  const what = `Cannot answer ${method} ${path}: this request is not recorded.`;
  if (closest === undefined) return `${what} There are no recordings.`;
  const { cassette, number, differences } = closest;
  const told = differences.slice(0, mostTold).map(describeDifference);
  const more = differences.length - told.length;
  if (more > 0) told.push(`  and ${counted(more, "more difference")}`);
  return [
    `${what} The closest is recording ${number} of the cassette ${JSON.stringify(cassette)}, but:`,
    ...told,
    `Record it, or name what may differ in "volatile".`,
  ].join("\n");
}

function describeDifference({
  at,
  recorded,
  sent,
}: ClosestRecording["differences"][number]): string {
  return `  ${at}\n    recorded: ${recorded ?? "nothing"}\n    sent:     ${sent ?? "nothing"}`;
}
