import { binaryBytes, binaryText } from "../../../core/http/base64.ts";
import { utf8Text } from "../../../core/http/bytes.ts";
import type { RecordedBody } from "../../../core/recordings/cassette.ts";
import { bodyBytes, bodyText, bodyValue } from "../../../core/recordings/recorded-body.ts";
import { groupBy } from "../group-by.ts";
import { type Part, partsIn } from "./multipart.ts";

/** The value that a body is compared by. */
export interface ComparedValue {
  /** A multipart body never equals a JSON body of the same value. */
  readonly kind: "json" | "multipart";
  /** Of a multipart body: the values of its parts by their names. */
  readonly value: unknown;
}

/** The value of a JSON or multipart body. Undefined if the body is compared by bytes. */
export function comparedValue(body: RecordedBody): ComparedValue | undefined {
  const json = bodyValue(body);
  if (json !== undefined) return { kind: "json", value: json };
  const value = multipartValue(body);
  return value === undefined ? undefined : { kind: "multipart", value };
}

/** The values of the parts by name. Several parts of one name are an array, as they are the parameters of a query. */
function multipartValue(body: RecordedBody): Readonly<Record<string, unknown>> | undefined {
  const whole = bodyText(body);
  const text = whole ?? binaryText(bodyBytes(body));
  const parts = partsIn(text);
  if (parts === undefined) return undefined;
  // In a body with bytes, each text is decoded alone.
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
