import { utf8Text } from "../../../core/http/bytes.ts";
import { fromBase64 } from "../../../core/replay/base64.ts";
import { decodedParameter, decodedPart } from "../../../core/http/url-parts.ts";
import type { RuleMatch } from "../../../core/replay/rule-matches.ts";
import { isSecretHeader } from "../../../core/http/secret-names.ts";
import { placeholderName } from "./numbered-placeholders.ts";

/** A secret that does not stand in the header as it is. */
export type EncodedSecret = Pick<RuleMatch, "value" | "as">;

/** The secrets of a header by its name: where they stand, and those that they have in them. */
export interface Credentials {
  readonly found: readonly RuleMatch[];
  readonly hidden: readonly EncodedSecret[];
}

const none: Credentials = { found: [], hidden: [] };

/** What a header keeps by its name: a key, cookies, keys in the query of an address. */
export function findCredentials(name: string, value: string): Credentials {
  if (value === "") return none;
  if (name === "cookie") return cookies(value, everyCookie);
  if (name === "set-cookie") return cookies(value, newCookie);
  if (isSecretHeader(name)) return key(name, value);
  return value.includes("=") ? { found: parameters(value), hidden: [] } : none;
}

const scheme = /^(basic|bearer|digest|dpop|negotiate|token|(?:api-?)?key) +(?=\S)/i;
const anyWord = /^\S+ +(?=\S)/;

/** A scheme is no secret, and says what is wrong when it is the wrong one. Any other first word may be part of the key. */
function key(name: string, value: string): Credentials {
  const as = placeholderName(name);
  const known = scheme.exec(value);
  const start = known?.[0].length ?? 0;
  const found = { start, end: value.length, value: value.slice(start), as };
  if (known?.[1]?.toLowerCase() === "basic")
    return { found: [found], hidden: userAndPassword(found.value) };
  const word = known === null ? anyWord.exec(value) : null;
  const hidden = word === null ? [] : [{ value: value.slice(word[0].length), as }];
  return { found: [found], hidden };
}

function userAndPassword(encoded: string): readonly EncodedSecret[] {
  const bytes = fromBase64(encoded.trim());
  const text = bytes === undefined ? undefined : (utf8Text(bytes) ?? "");
  if (text === undefined) return [];
  const colon = text.indexOf(":");
  if (colon === -1) return [{ value: text, as: "user" }];
  return [
    { value: text.slice(0, colon), as: "user" },
    { value: text.slice(colon + 1), as: "password" },
  ];
}

const everyCookie = /(?:^|;)\s*([^=;]*=)?"?([^;"]*)/dg;

/** Its attributes are no secrets. Several may stand in one header, with commas between. */
const newCookie = /(?:^|\n|,\s*)([^=;,\s]+=)"?([^;"\n]*?)"?\s*(?=[;\n]|$|,\s*[^=;,\s]+=)/dg;

function cookies(value: string, each: RegExp): Credentials {
  const found = [...value.matchAll(each)].flatMap(({ indices }) => {
    const [start, end] = indices?.[2] ?? [0, 0];
    const trimmed = value.slice(start, end).trimEnd();
    if (trimmed === "") return [];
    return [{ start, end: start + trimmed.length, value: decodedParameter(trimmed), as: "cookie" }];
  });
  return { found, hidden: [] };
}

/** Keys among the parameters of the addresses in a header: of a page, of the place to go to. */
const parameter = /[?&]([^=&#\s"<>]{1,100})=([^&#\s"<>]+)/dg;

function parameters(value: string): readonly RuleMatch[] {
  return [...value.matchAll(parameter)].flatMap(({ 1: name = "", 2: written = "", indices }) => {
    const decoded = decodedParameter(name);
    if (!isSecretHeader(decoded)) return [];
    const [start, end] = indices?.[2] ?? [0, 0];
    return [{ start, end, value: decodedParameter(written), as: placeholderName(decoded) }];
  });
}

/** `user:password@` after `://`, whose slashes may be escaped as JSON may do it, in a string in a string too. */
const userInfo =
  /:(?:\\{0,15}\/){2}([^\s/@:"'`<>\\?#[\]{}()]{1,256})(?::([^\s/@"'`<>\\?#]{0,1024}))?@/dg;

/** Whether there may be some in a text, or in the strings of JSON that it is. */
export function mayHaveUserInfo(text: string): boolean {
  return text.includes("@") || text.includes(String.raw`\u0040`);
}

/** The users and passwords of the URLs in a text. */
export function findUserInfo(text: string): readonly RuleMatch[] {
  if (!text.includes("@") || !text.includes("/")) return [];
  return [...text.matchAll(userInfo)].flatMap((match) => {
    const [, user, password] = match.indices ?? [];
    return [...partOf(text, user, "user"), ...partOf(text, password, "password")];
  });
}

function partOf(
  text: string,
  place: readonly [number, number] | undefined,
  as: string,
): RuleMatch[] {
  if (place === undefined || place[0] === place[1]) return [];
  const written = text.slice(...place);
  return [{ start: place[0], end: place[1], value: decodedPart(written) ?? written, as }];
}
