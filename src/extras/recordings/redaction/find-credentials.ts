import { utf8Text } from "../../../core/http/bytes.ts";
import { fromBase64 } from "../../../core/http/base64.ts";
import { decodedParameter, decodedPart } from "../../../core/http/url-parts.ts";
import type { RuleMatch } from "../replay/rule-matches.ts";
import { isSecretHeader } from "../../../core/http/secret-names.ts";
import { placeholderName } from "./numbered-placeholders.ts";

/** A secret that does not stand in the header as it is. */
export type EncodedSecret = Pick<RuleMatch, "value" | "as">;

/** What a header keeps by its name, and where: a key, cookies, keys in the query of an address. */
export function findCredentials(name: string, value: string): readonly RuleMatch[] {
  if (value === "") return [];
  if (name === "cookie") return cookies(value, everyCookie);
  if (name === "set-cookie") return cookies(value, newCookie);
  if (!isSecretHeader(name)) return value.includes("=") ? parameters(value) : [];
  const start = scheme.exec(value)?.[0].length ?? 0;
  return [{ start, end: value.length, value: value.slice(start), as: placeholderName(name) }];
}

/** A scheme is no secret, and says what is wrong when it is the wrong one. */
const scheme = /^(basic|bearer|digest|dpop|negotiate|token|(?:api-?)?key) +(?=\S)/i;
const anyWord = /^\S+ +(?=\S)/;

/** The secrets that the key in a header has in it. */
export function hiddenCredentials(name: string, value: string): readonly EncodedSecret[] {
  if (/^(?:set-)?cookie$/.test(name) || !isSecretHeader(name)) return [];
  const known = scheme.exec(value);
  if (known !== null) {
    const isBasic = known[1]?.toLowerCase() === "basic";
    return isBasic ? userAndPassword(value.slice(known[0].length)) : [];
  }
  // Any other first word may be part of the key, and may not.
  const [word] = anyWord.exec(value) ?? [];
  return word === undefined ? [] : [{ value: value.slice(word.length), as: placeholderName(name) }];
}

function userAndPassword(encoded: string): readonly EncodedSecret[] {
  const bytes = fromBase64(encoded.trim());
  if (bytes === undefined) return [];
  const [user = "", ...others] = (utf8Text(bytes) ?? "").split(":");
  const password = others.length === 0 ? [] : [{ value: others.join(":"), as: "password" }];
  return [{ value: user, as: "user" }, ...password];
}

const everyCookie = /(?:^|;)\s*([^=;]*=)?"?([^;"]*)/dg;

/** Its attributes are no secrets. Several may stand in one header, with commas between. */
const newCookie = /(?:^|\n|,\s*)([^=;,\s]+=)"?([^;"\n]*?)"?\s*(?=[;\n]|$|,\s*[^=;,\s]+=)/dg;

function cookies(value: string, each: RegExp): readonly RuleMatch[] {
  return [...value.matchAll(each)].flatMap(({ indices }) => {
    const [start, end] = indices?.[2] ?? [0, 0];
    const trimmed = value.slice(start, end).trimEnd();
    if (trimmed === "") return [];
    return [{ start, end: start + trimmed.length, value: decodedParameter(trimmed), as: "cookie" }];
  });
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
