import type { PlacedRecording } from "../../replay/recording-book.ts";
import type { Answerer, ClosestRecording, RecordingPlace } from "../../http/answerer.ts";
import type { Reply } from "../../http/reply.ts";

function describePlace({ cassette, number }: RecordingPlace): string {
  return `cassette ${JSON.stringify(cassette)} ${number}`;
}

/** A recording that answered. */
export function recordingAnswerer({ cassette, index }: PlacedRecording): Answerer {
  const recording: RecordingPlace = { cassette, number: index + 1 };
  return { label: () => describePlace(recording), details: () => ({ recording }) };
}

/** The want of a recording. What would have answered without tells of itself, too. */
export function unrecordedAnswerer(
  closest: ClosestRecording | undefined,
  answeredBy: Reply["answeredBy"],
): Answerer {
  const label =
    closest === undefined ? "not recorded" : `not recorded (closest: ${describePlace(closest)})`;
  return {
    label: () => label,
    details: (scene) => ({
      ...(typeof answeredBy === "object" ? answeredBy.details(scene) : {}),
      ...(closest === undefined ? {} : { closestRecording: closest }),
    }),
  };
}
