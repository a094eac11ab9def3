import { utf8Text } from "../../../core/http/bytes.ts";
import { fromBase64 } from "../../../core/http/base64.ts";
import { decodedParameter, decodedPart } from "../../../core/http/url-parts.ts";
import type { RuleMatch } from "../replay/rule-matches.ts";
import { isSecretHeader } from "../../../core/http/secret-names.ts";
import { placeholderName } from "./numbered-placeholders.ts";

/** A secret that the header contains in encoded form. */
export type EncodedSecret = Pick<RuleMatch, "value" | "as">;

/**
 * The secrets that a header contains according to its name, with their places: a key, cookies, keys in the query of an
 * address.
 */
export function findCredentials(name: string, value: string): readonly RuleMatch[] {
  if (value === "") return [];
  if (name === "cookie") return cookies(value, everyCookie);
  if (name === "set-cookie") return cookies(value, newCookie);
  if (!isSecretHeader(name)) return value.includes("=") ? parameters(value) : [];
  const start = scheme.exec(value)?.[0].length ?? 0;
  return [{ start, end: value.length, value: value.slice(start), as: placeholderName(name) }];
}

/** The scheme before a key. Schemes are not redacted, so that a recording shows a wrong one. */
const scheme = /^(basic|bearer|digest|dpop|negotiate|token|(?:api-?)?key) +(?=\S)/i;
const anyWord = /^\S+ +(?=\S)/;

/** The secrets that are encoded in the key of a header, such as user and password. */
export function hiddenCredentials(name: string, value: string): readonly EncodedSecret[] {
  if (/^(?:set-)?cookie$/.test(name) || !isSecretHeader(name)) return [];
  const known = scheme.exec(value);
  if (known !== null) {
    const isBasic = known[1]?.toLowerCase() === "basic";
    return isBasic ? userAndPassword(value.slice(known[0].length)) : [];
  }
  // Any other first word may or may not be part of the key, so the rest without it counts as a secret, too.
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

/**
 * A cookie that a header sets, without its attributes, which are not secrets. A header may set several cookies,
 * separated by commas.
 */
const newCookie = /(?:^|\n|,\s*)([^=;,\s]+=)"?([^;"\n]*?)"?\s*(?=[;\n]|$|,\s*[^=;,\s]+=)/dg;

function cookies(value: string, each: RegExp): readonly RuleMatch[] {
  return [...value.matchAll(each)].flatMap(({ indices }) => {
    const [start, end] = indices?.[2] ?? [0, 0];
    const trimmed = value.slice(start, end).trimEnd();
    if (trimmed === "") return [];
    return [{ start, end: start + trimmed.length, value: decodedParameter(trimmed), as: "cookie" }];
  });
}

/** Parameters in the addresses of a header such as Referer or Location. */
const parameter = /[?&]([^=&#\s"<>]{1,100})=([^&#\s"<>]+)/dg;

function parameters(value: string): readonly RuleMatch[] {
  return [...value.matchAll(parameter)].flatMap(({ 1: name = "", 2: written = "", indices }) => {
    const decoded = decodedParameter(name);
    if (!isSecretHeader(decoded)) return [];
    const [start, end] = indices?.[2] ?? [0, 0];
    return [{ start, end, value: decodedParameter(written), as: placeholderName(decoded) }];
  });
}

/**
 * `user:password@` after `://`. The slashes may be escaped as in JSON, even several times, as in a string within a
 * string.
 */
const userInfo =
  /:(?:\\{0,15}\/){2}([^\s/@:"'`<>\\?#[\]{}()]{1,256})(?::([^\s/@"'`<>\\?#]{0,1024}))?@/dg;

/** Whether a text, or a string of JSON in it, may contain users and passwords. */
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
