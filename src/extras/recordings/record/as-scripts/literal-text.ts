/** A text as a template that renders to that very text: what would begin an expression or a tag is said by an expression. */
export function literalText(text: string): string {
  return text.replaceAll(/\{[{%]/g, (opening) => `{{ '${opening}' }}`);
}

/** The same JSON value, with each text in it as a template that renders to that text. */
export function literalJson<Value>(value: Value): Value {
  return literal(value) as Value;
}

function literal(value: unknown): unknown {
  if (typeof value === "string") return literalText(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(literal);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, literal(item)]));
}
