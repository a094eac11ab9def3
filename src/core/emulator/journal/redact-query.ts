import { isSecretHeader, isSecretName } from "../../http/secret-names.ts";
import { withoutKeys } from "./own-keys.ts";
import { redactedValue } from "./redacted-value.ts";

/** What a query is redacted by. */
export interface QueryRedaction {
  /** Whose parameters they are: those of the tables are columns, of which one may be called `key`. Default: nobody's. */
  readonly of?: "rest" | "chat";
  /** The emulator's own, which no value may have. */
  readonly keys?: readonly string[];
}

/**
 * A query as it was sent, the values of parameters left out whose names are those of keys, and those that have one of
 * the emulator's own.
 */
export function redactQuery(query: string, redaction: QueryRedaction = {}): string {
  if (query === "") return query;
  return query
    .split("&")
    .map((parameter) => redactParameter(parameter, redaction))
    .join("&");
}

function redactParameter(parameter: string, { of, keys = [] }: QueryRedaction): string {
  const end = parameter.indexOf("=");
  if (end === -1) return withoutKeys(parameter, keys);
  const name = parameter.slice(0, end);
  const isSecret = of === "rest" ? isSecretName : isSecretHeader;
  const value = decoded(parameter.slice(end + 1));
  const isHidden = isSecret(decoded(name)) || withoutKeys(value, keys) !== value;
  return isHidden ? `${name}=${redactedValue}` : parameter;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
