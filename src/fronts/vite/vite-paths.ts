/** What Vite's own paths begin with, which would else name sessions: `/@fs/rest/main.ts` is a file. */
const ofVite: readonly string[] = ["/@fs/", "/@id/", "/@vite/"];

/** Whether a path is Vite's, whatever comes after. Its base may come before. */
export function isOfVite(path: string, base: string): boolean {
  const below = path.startsWith(base) ? path.slice(base.length - 1) : path;
  return ofVite.some((start) => path.startsWith(start) || below.startsWith(start));
}
