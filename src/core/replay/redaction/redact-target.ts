import { isSecretHeader, isSecretName } from "../../http/secret-names.ts";
import { decodedPart } from "../query-pairs.ts";
import { type Placeholders, placeholderName } from "./placeholders.ts";
import { ruleAt } from "./redact-header.ts";
import { learnFrom, redactText, type Redaction } from "./redaction.ts";

/** A path without what is to be taken out of its segments. */
export function redactPath(path: string, redaction: Redaction): string {
  return path
    .split("/")
    .map((segment) => redactPart(segment, redaction))
    .join("/");
}

/** A query without the values of keys, and without what else is to be taken out. */
export function redactQuery(query: string, redaction: Redaction): string {
  return query
    .split("&")
    .map((pair) => redactPair(pair, redaction))
    .join("&");
}

/** Has the secrets of a path and a query looked for in every place. */
export function learnFromTarget(path: string, query: string, redaction: Redaction): void {
  for (const segment of path.split("/")) learnFrom(decodedPart(segment) ?? segment, redaction);
  if (query === "") return;
  for (const pair of query.split("&")) {
    const { name, value } = splitPair(pair);
    learnFrom(decodedOrRaw(name), redaction);
    if (value === undefined) continue;
    const as = nameOfSecret(decodedOrRaw(name), redaction);
    if (as === undefined) learnFrom(decodedOrRaw(value), redaction);
    else redaction.placeholders.know(decodedOrRaw(value), as);
  }
}

function redactPair(pair: string, redaction: Redaction): string {
  const { name, value } = splitPair(pair);
  const shown = redactPart(name, redaction, true);
  if (value === undefined) return shown;
  const as = nameOfSecret(decodedOrRaw(name), redaction);
  if (as === undefined || value === "") return `${shown}=${redactPart(value, redaction, true)}`;
  return `${shown}=${redaction.placeholders.of(decodedOrRaw(value), as)}`;
}

function splitPair(pair: string): { readonly name: string; readonly value: string | undefined } {
  const end = pair.indexOf("=");
  return end === -1
    ? { name: pair, value: undefined }
    : { name: pair.slice(0, end), value: pair.slice(end + 1) };
}

/** What placeholders for a parameter's values are called; undefined: it is no secret. */
function nameOfSecret(name: string, { rules, of }: Redaction): string | undefined {
  const rule = ruleAt(rules.places, "query", name);
  if (rule !== undefined) return rule.as;
  const isSecret = of === "rest" ? isSecretName : isSecretHeader;
  return isSecret(name) ? placeholderName(name) : undefined;
}

/** A part of a URL: decoded, so that it does not count how it was encoded, and as it was sent where nothing is secret. */
// oxlint-disable-next-line max-params -- a flag for the plus signs of queries
function redactPart(part: string, redaction: Redaction, isQuery = false): string {
  const spaced = isQuery ? part.replaceAll("+", " ") : part;
  const decoded = decodedPart(spaced);
  if (decoded === undefined) return redactText(part, redaction);
  const redacted = redactText(decoded, redaction);
  return redacted === decoded ? part : encodedAround(redacted, redaction.placeholders);
}

function decodedOrRaw(part: string): string {
  return decodedPart(part.replaceAll("+", " ")) ?? part;
}

/** Encodes what is no placeholder. */
function encodedAround(text: string, placeholders: Placeholders): string {
  let result = "";
  let end = 0;
  for (const span of placeholders.spansIn(text)) {
    result += encoded(text.slice(end, span.start)) + text.slice(span.start, span.end);
    end = span.end;
  }
  return result + encoded(text.slice(end));
}

function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll("%2C", ",").replaceAll("%3A", ":");
}
