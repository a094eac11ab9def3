/** A segment of a path as it is meant; as it was sent where it cannot be decoded. */
export function decodedSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
