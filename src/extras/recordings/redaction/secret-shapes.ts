import { decodedPart } from "../../../core/http/url-parts.ts";
import { binaryText, fromBase64 } from "../../../core/http/base64.ts";
import { base64Values } from "./base64-values.ts";
import { shortestEverywhere } from "./find-secrets.ts";
import { type LikelySecret, placeholderName } from "./numbered-placeholders.ts";
import { valuesBesideNames } from "./names-beside-values.ts";
import { piecesOf, readingsOf } from "./readings.ts";

/**
 * The documented forms of keys of known services. The secret is the pattern's match, or its first group. Each pattern
 * begins with fixed letters, which no letter or digit may precede.
 */
const shapes: readonly (readonly [as: string, pattern: RegExp])[] = [
  ["jwt", /eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*|eyJ[\w-]{8,}\.[\w-]*(?:\.[\w-]{8,}){3}/],
  [
    "aws-key",
    /(?:A[KS]IA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{16}(?![A-Za-z0-9])|ABSK[\w+/]{100,}={0,2}/,
  ],
  ["github-token", /gh[pousr]_[A-Za-z0-9]{30,}|github_pat_\w{22,}/],
  ["gitlab-token", /gl(?:pat|dt|rt|rtr|cbt|ptt|ft|imt|agent|soat|oas|ffct)-[\w.-]{20,}/],
  ["slack-token", /xox[abcdeprs]-[\w.-]{10,}|xapp-\d-[\w-]{10,}/],
  ["slack-key", /hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/([\w/]{20,})/],
  ["discord-token", /discord(?:app)?\.com\/api\/webhooks\/\d+\/([\w-]{40,})/],
  ["google-key", /AIza[\w-]{35}|AQ\.Ab[\w-]{40,}/],
  ["google-token", /ya29\.[\w.-]{20,}|1\/\/0[\w-]{30,}|GOCSPX-[\w-]{20,}/],
  ["stripe-key", /[sr]k_(?:live|test|prod)_[A-Za-z0-9]{10,}|whsec_[\w+/-]{20,}={0,2}/],
  // Keys of model services: OpenAI, Anthropic, and those that follow them.
  [
    "api-key",
    /sk-[\w-]{16,}|sk_[0-9a-f]{40,}|(?:csk|xai|gsk|pplx|nvapi|tgp_v1|tvly|pcsk|jina|lsv2_[ps][tk]|r8|fw)[-_]\w{20,}|(?:fc|pa)-\w{32,}/,
  ],
  ["huggingface-token", /(?:hf|api_org)_[A-Za-z0-9]{30,}/],
  ["npm-token", /npm_[A-Za-z0-9]{36}/],
  ["pypi-token", /pypi-[\w-]{50,}/],
  ["docker-token", /dckr_[po]at_[\w-]{20,}/],
  ["rubygems-key", /rubygems_[0-9a-f]{48}/],
  ["twilio-key", /SK[0-9a-f]{32}(?![0-9A-Za-z])/],
  ["sendgrid-key", /SG\.[\w-]{16,}\.[\w-]{16,}/],
  ["mail-key", /key-[0-9a-f]{32}(?![\w-])|xkeysib-[0-9a-f]{64}-\w{16}/],
  ["shopify-token", /shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}/],
  ["square-token", /sq0(?:atp|csp|idp)-[\w-]{22,}/],
  ["atlassian-token", /AT[AC]TT3[\w=-]{50,}/],
  ["notion-token", /ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{43}(?![A-Za-z0-9])/],
  ["linear-key", /lin_(?:api|oauth)_[A-Za-z0-9]{32,}/],
  ["figma-token", /fig[dour]_[\w-]{40,}/],
  ["airtable-token", /pat[A-Za-z0-9]{14}\.[0-9a-f]{64}/],
  ["hubspot-token", /pat-(?:na|eu)\d-[0-9a-f-]{36}/],
  ["postman-key", /PMAK-[0-9a-f]{24}-[0-9a-f]{34}/],
  ["dropbox-token", /sl\.(?:u\.)?[\w-]{60,}/],
  ["digitalocean-token", /do[opr]_v1_[0-9a-f]{64}/],
  ["databricks-token", /dapi[0-9a-f]{32}(?:-\d)?/],
  ["doppler-token", /dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{40,}/],
  ["vault-token", /hv[sbr]\.[\w-]{24,}/],
  ["fly-token", /fo1_[\w-]{40,}|FlyV1 fm\d[\w+/=,-]{40,}/],
  ["heroku-key", /HRKU-[\w-]{36,}/],
  ["supabase-key", /sbp_[0-9a-f]{40}|sb_secret_[\w-]{20,}/],
  ["planetscale-token", /pscale_(?:tkn|pw|oauth)_[\w.=-]{32,}/],
  ["netlify-token", /nfp_[\w-]{36,}/],
  ["pulumi-token", /pul-[0-9a-f]{40}/],
  ["tailscale-key", /tskey-[\w-]{20,}/],
  ["sentry-token", /sntry[su]_[\w+/=-]{40,}/],
  ["grafana-token", /gl(?:c|sa)_[\w+/=-]{30,}/],
  ["newrelic-key", /NRAK-[A-Z0-9]{27}/],
  ["dynatrace-token", /dt0[a-z]\d\d\.[A-Z0-9]{24}\.[A-Z0-9]{64}/],
  ["alibaba-key", /LTAI[A-Za-z0-9]{20}(?![A-Za-z0-9])/],
  ["onepassword-token", /ops_eyJ[\w+/=-]{100,}/],
  ["age-secret-key", /AGE-SECRET-KEY-1[0-9A-Z]{58}/],
  [
    "password-hash",
    /\$(?:2[abxy]\$\d\d|argon2(?:id|i|d)\$v=\d+\$[\w=,]+|[156]|y\$\w+)\$[\w./+$=]{22,}/,
  ],
  [
    "private-key",
    /-----BEGIN[ +](?:[A-Z\d]+[ +])*PRIVATE[ +]KEY(?:[ +]BLOCK)?-----[^"'<>`{}]*?(?:-----END[A-Z\d +]+-----|$)/,
  ],
  // A key after its scheme in any text: a command, an example, a log.
  ["authorization", /(?:[Bb]earer|[Bb]asic|BEARER|BASIC)[ +]+([\w.~+/-]{16,}={0,2})/],
];

/** Forms whose fixed letters are in the middle. */
const oddShapes: readonly (readonly [as: string, mark: string, pattern: RegExp])[] = [
  ["azure-secret", "Q~", /(?<![\w~.-])[\w~.-]{3}\dQ~[\w~.-]{31,34}/g],
  ["telegram-token", ":AA", /(?<!\w)\d{8,10}:AA[\w-]{32,}/g],
  ["terraform-token", ".atlasv1.", /(?<!\w)[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,}/g],
  ["mail-key", "-us", /(?<!\w)[0-9a-f]{32}-us\d{1,2}(?!\w)/g],
  ["discord-token", ".", /(?<![\w.-])[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,38}(?![\w.-])/g],
];

/** Matches any of the shapes in one pass. The shape itself is then matched again for its groups. */
const anyShape = new RegExp(
  `(?<![A-Za-z0-9])(?:${shapes.map(([, { source }]) => source.replaceAll(/\((?![?])/g, "(?:")).join("|")})`,
  "g",
);

/** A name that marks its value as a secret, and what may stand between the name and the value. */
const named =
  /(pass(?:word|wd|phrase|code)|pwd|passw|(?:api|access|secret|private|auth|client|sign(?:ing)?|encryption|master|account|service|admin|app|consumer|shared|subscription|license|deploy|webhook|storage|server)[ _-]?key|(?:api|access|refresh|id|auth|bearer|session|security|bot|oauth|csrf|xsrf)[ _-]?token|secret|credentials?|authorization|(?<![a-z\d_]|[a-z\d]-)(?:pass|token))(["'`\]]{0,2})(\s{0,4}(?::=|=>|=|:)\s{0,4}|\s+is:?\s+|>(?=[^\s<])|(?<=--[\w-]{1,40}) )(?:"((?:[^"\\\n]|\\.){1,4000})"|'([^'\n]{1,400})'|`([^`\n]{1,400})`|([^\s"'`,;&<>(){}[\]|]{4,4000})(?![([]))/gi;

/** A quick check for such names. Most texts contain none, which this finds in a tenth of the time. */
const anyName = /pass|pwd|secret|key|token|credential|authorization/i;

/** A shorter text cannot contain a secret that is recognised by its form or its name. */
const shortestInBase64 = 15;

/** The values in a text that look like secrets, however they are encoded. A value may be repeated. */
export function* findLikelySecrets(text: string): Generator<LikelySecret> {
  for (const piece of piecesOf(text)) {
    for (const reading of readingsOf(piece.text)) {
      yield* inPlain(reading.text);
      for (const { said } of base64Values(reading.text, shortestInBase64)) {
        for (const inside of readingsOf(said)) yield* inPlain(inside.text);
      }
    }
  }
}

/** The plain values in a text that look like secrets. */
function* inPlain(text: string): Generator<LikelySecret> {
  for (const [found] of text.matchAll(anyShape)) yield* secretsShaped(found);
  for (const [as, mark, pattern] of oddShapes) {
    if (!text.includes(mark)) continue;
    for (const [value] of text.matchAll(pattern)) if (!isOrdinary(value)) yield { value, as };
  }
  yield* secretsInSchemes(text);
  if (!anyName.test(text)) return;
  for (const found of text.matchAll(named)) yield* secretsNamed(found);
  for (const { name, value } of valuesBesideNames(text)) {
    const secret = unescaped(value).replace(/^(?:bearer|basic|token) +/i, "");
    const word = /pass|pwd/i.exec(name)?.[0] ?? name;
    if (isSecretMember(word, secret)) yield { value: secret, as: placeholderName(name) };
  }
}

/** User and password after `Basic`, however short, or after curl's `-u`. */
const basic =
  /\bbasic +([A-Za-z\d+/_-]{6,}={0,2})|(?:\s-u|--user)[ =]["']?([^\s:"']{1,100}):([^\s"']{1,400})/gi;

/** The parameters after `Digest`, which a client derives from its password. */
const digest = /\bdigest +(?=\w+ *=)([^\r\n]{1,2000})/gi;
const digestPart = /\b(?:response|nonce|cnonce|opaque)\s*=\s*"?([\w+/=.:-]{8,})/gi;

/** The secrets after the schemes of authorization in a text. */
function* secretsInSchemes(text: string): Generator<LikelySecret> {
  if (!/basic|digest|-u\b|--user/i.test(text)) return;
  for (const [, encoded, , given = ""] of text.matchAll(basic)) {
    if (encoded !== undefined) yield* userAndPassword(encoded);
    else if (!isOrdinary(given)) yield { value: given, as: "password" };
  }
  for (const [, parts = ""] of text.matchAll(digest)) {
    for (const [, value = ""] of parts.matchAll(digestPart)) yield { value, as: "authorization" };
  }
}

/** A user and a password in base64, and the password alone. */
function userAndPassword(encoded: string): readonly LikelySecret[] {
  const bytes = fromBase64(encoded.replaceAll("-", "+").replaceAll("_", "/"));
  const [user = "", ...others] = binaryText(bytes ?? new Uint8Array()).split(":");
  const password = others.join(":");
  if (password === "" || /[^\x20-\x7e\xa0-\xff]/.test(user + password)) return [];
  return [
    { value: encoded, as: "authorization" },
    { value: password, as: "password" },
  ];
}

/** The secret in a text that matches one of the shapes. */
function secretsShaped(found: string): readonly LikelySecret[] {
  const shape = shapes.find(([, pattern]) => found.search(pattern) === 0);
  if (shape === undefined) return [];
  const [as, pattern] = shape;
  const value = pattern.exec(found)?.slice(1).find(Boolean) ?? found;
  const isSecret =
    as === "authorization" ? isCredentials(value) : as === "private-key" || !isOrdinary(value);
  return isSecret ? [{ value: unescaped(value), as }] : [];
}

/**
 * The value after a name, if it looks like a secret. In JSON and forms nearly any value does, in prose only one that
 * looks random.
 */
function secretsNamed(found: RegExpExecArray): readonly LikelySecret[] {
  const [, word = "", close, between, member, single, ticked, bare = ""] = found;
  const isParameter = bare !== "" && between === "=";
  const isStructured = isParameter || (member !== undefined && close === '"');
  const written = member ?? single ?? ticked ?? bare.replace(isParameter ? "" : /[.:?]+$/, "");
  // A plus sign is not read as a space: keys have more plus signs than spaces.
  const value = isParameter ? (decodedPart(written) ?? written) : unescaped(written);
  const secret = value.replace(/^(?:bearer|basic|token) +/i, "");
  const isFound = isStructured ? isSecretMember(word, secret) : isSecretProse(word, secret);
  return isFound ? [{ value: secret, as: placeholderName(nameIn(found) + word) }] : [];
}

/** The part of a name before the word that marks it: `db_` in `db_password`. */
function nameIn({ input, index }: RegExpExecArray): string {
  return /(?:[A-Za-z][\w.-]{0,29})?$/.exec(input.slice(Math.max(0, index - 30), index))?.[0] ?? "";
}

const isPassword = /^(?:pass|pwd)/i;

/** A password can be anything but a word of a form, a schema or a message. A key must contain digits or be long. */
function isSecretMember(name: string, value: string): boolean {
  if (value.length < shortestEverywhere || isOrdinary(value)) return false;
  if (/\s/.test(value)) return /phrase/i.test(name);
  if (/^(?:pass|token)$/i.test(name)) return isSecretProse(name, value);
  return (
    isPassword.test(name) || (/[A-Za-z]/.test(value) && (/\d/.test(value) || value.length > 15))
  );
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function isSecretProse(name: string, value: string): boolean {
  if (value.length < leastInProse(name) || isOrdinary(value) || /\s/.test(value)) return false;
  if (/^token$/i.test(name) && uuid.test(value)) return false;
  return /\d/.test(value) && /[A-Za-z]/.test(value);
}

function leastInProse(name: string): number {
  if (isPassword.test(name)) return shortestEverywhere;
  return /^token$/i.test(name) ? 20 : 8;
}

/** Whether a value after `Bearer` or `Basic` looks random, or contains a user and a password. */
function isCredentials(value: string): boolean {
  if (isOrdinary(value)) return false;
  return /\d/.test(value) || binaryText(fromBase64(value) ?? new Uint8Array()).includes(":");
}

/** Words, and names that consist of several words, as people and programs write them. */
const words =
  /^[/.~@#:]*(?:(?:\p{L}?[\p{Ll}\p{Lo}\p{M}]{1,20}|\p{Lu}{1,20})(?:\p{Lu}\p{Ll}{2,20})*|\d{1,4})(?:[ _.,:/'’-]+(?:(?:\p{L}?[\p{Ll}\p{Lo}\p{M}]{1,20}|\p{Lu}{1,20})(?:\p{Lu}\p{Ll}{2,20})*|\d{1,4}))*[.!?…:]*$/u;

/**
 * Values that only stand for a secret, or are no secret: a mask, a template, a call, an address, a path, a date, an
 * algorithm.
 */
const standIn =
  /[*•…]{2}|\.{3}|x{5}|^(.)\1+$|\$\{|\{\{|^[$%]\w+%?$|^<|>$|(?:^|[^a-z])your(?:$|[^a-z])|^\w+\(.*\)$|^[a-z]+:\/\/|^\.{0,2}\/[a-z]+\/|^\d{4}-\d\d-\d\d|^(?:base-?64|sha-?\d+|md5|oauth-?2?|utf-?8|[ehpr]s\d{3}|aes\S*|argon2\w*|bcrypt\w*|pbkdf2\S*|v\d+)$/i;

function isOrdinary(value: string): boolean {
  return standIn.test(value) || words.test(value);
}

function unescaped(value: string): string {
  if (!value.includes("\\")) return value;
  try {
    return String(JSON.parse(`"${value}"`));
  } catch {
    return value;
  }
}
