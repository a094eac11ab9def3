import { isSecretName, redactedValue } from "./secret-names.ts";

/** What a filter may have behind the name of its column. */
const operator = /\.(?:eq|ne|gte?|lte?|like|in)$/;

/** A query as it was sent, the values of parameters left out whose names are those of keys. */
export function redactQuery(query: string): string {
  if (query === "") return query;
  return query.split("&").map(redactParameter).join("&");
}

function redactParameter(parameter: string): string {
  const end = parameter.indexOf("=");
  if (end === -1) return parameter;
  const name = decoded(parameter.slice(0, end)).replace(operator, "");
  return isSecretName(name) ? `${parameter.slice(0, end)}=${redactedValue}` : parameter;
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll("+", " "));
  } catch {
    return name;
  }
}
