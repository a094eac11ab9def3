import { decodedPart } from "../query-pairs.ts";
import type { Found } from "./find-matches.ts";

/** `user:password@` after `://`, whose slashes may be escaped as JSON may do it, in a string in a string too. */
const userInfo =
  /:(?:\\{0,15}\/){2}([^\s/@:"'`<>\\?#[\]{}()]{1,256})(?::([^\s/@"'`<>\\?#]{0,1024}))?@/dg;

/** Whether there may be some in a text, or in the strings of JSON that it is. */
export function mayHaveUserInfo(text: string): boolean {
  return text.includes("@") || text.includes(String.raw`\u0040`);
}

/** The users and passwords of the URLs in a text. */
export function findUserInfo(text: string): readonly Found[] {
  if (!text.includes("@") || !text.includes("/")) return [];
  return [...text.matchAll(userInfo)].flatMap((match) => {
    const [, user, password] = match.indices ?? [];
    return [...partOf(text, user, "user"), ...partOf(text, password, "password")];
  });
}

function partOf(text: string, place: readonly [number, number] | undefined, as: string): Found[] {
  if (place === undefined || place[0] === place[1]) return [];
  const written = text.slice(...place);
  return [{ start: place[0], end: place[1], value: decodedPart(written) ?? written, as }];
}
