import type { Recording } from "../../core/recordings/cassette.ts";

/**
 * The recordings that other processes have added to a file: all except the known ones, each as often as it is known.
 */
export function othersRecordings(
  inFile: readonly Recording[],
  known: readonly Recording[],
): readonly Recording[] {
  const counts = new Map<string, number>();
  for (const one of known) {
    const text = JSON.stringify(one);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return inFile.filter((one) => {
    const text = JSON.stringify(one);
    const count = counts.get(text) ?? 0;
    counts.set(text, count - 1);
    return count <= 0;
  });
}
