import { binaryBytes, binaryText } from "../../../core/http/base64.ts";
import { utf8Text } from "../../../core/http/bytes.ts";
import type { RecordedBody } from "../../../core/recordings/cassette.ts";
import { bodyBytes, bodyText, bodyValue } from "../../../core/recordings/recorded-body.ts";
import type { CompiledRules } from "../../../core/recordings/recording-rules.ts";
import { groupBy } from "../group-by.ts";
import { type Part, partsIn } from "./multipart.ts";
import { withoutVolatileTexts } from "./volatile-texts.ts";

/** The value that a body is compared by. */
export interface ComparedValue {
  /** A multipart body never equals a JSON body of the same value. */
  readonly kind: "json" | "multipart";
  /** The value. For a multipart body, the values of its parts by their names. */
  readonly value: unknown;
}

/** The value of a JSON or multipart body, without what the rules ignore. Undefined if it is compared by bytes. */
export function comparedValue(body: RecordedBody, rules: CompiledRules): ComparedValue | undefined {
  const json = bodyValue(body);
  if (json !== undefined) return { kind: "json", value: withoutVolatileTexts(json, rules) };
  const value = multipartValue(body);
  if (value === undefined) return undefined;
  return { kind: "multipart", value: withoutVolatileTexts(value, rules) };
}

/** The text of any other body, without what the rules ignore. Undefined if it is not text. */
export function comparedText(body: RecordedBody, rules: CompiledRules): string | undefined {
  const text = bodyText(body);
  return text === undefined ? undefined : String(withoutVolatileTexts(text, rules));
}

/** The values of the parts by name. Several parts of one name are an array, as they are the parameters of a query. */
function multipartValue(body: RecordedBody): Readonly<Record<string, unknown>> | undefined {
  const whole = bodyText(body);
  const text = whole ?? binaryText(bodyBytes(body));
  const parts = partsIn(text);
  if (parts === undefined) return undefined;
  // In a body that is not text as a whole, each part is decoded by itself.
  const decode = (bytes: string): string | undefined =>
    whole === undefined ? utf8Text(binaryBytes(bytes)) : bytes;
  const byName = groupBy(parts, ({ name }) => decode(name) ?? name);
  return Object.fromEntries(
    Array.from(byName, ([name, ofName]) => {
      const values = ofName.map((part) => partValue(part, text, decode));
      return [name, values.length === 1 ? values[0] : values];
    }),
  );
}

/** A field of a form is its text. A part with a file name or headers is an object. */
function partValue(
  { filename, headers, start, end }: Part,
  text: string,
  decode: (bytes: string) => string | undefined,
): unknown {
  const content = text.slice(start, end);
  const decoded = decode(content);
  const hasHeaders = Object.keys(headers).length > 0;
  if (decoded !== undefined && filename === undefined && !hasHeaders) return decoded;
  return {
    ...(filename === undefined ? {} : { filename: decode(filename) ?? filename }),
    ...(hasHeaders ? { headers } : {}),
    ...(decoded === undefined ? { bytes: content } : { content: decoded }),
  };
}
