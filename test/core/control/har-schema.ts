/**
 * HAR 1.2 as a JSON Schema: every field that http://www.softwareishard.com/blog/har-12-spec/ asks for, with its type.
 * Names that begin with an underscore are free for anyone, all others are known.
 */
type Schema = Readonly<Record<string, unknown>>;

const text = { type: "string" };
const size = { type: "integer", minimum: -1 };
const time = { type: "number", minimum: -1 };

function object(required: Schema, optional: Schema = {}): Schema {
  return {
    type: "object",
    properties: { ...required, ...optional, comment: text },
    required: Object.keys(required),
    patternProperties: { "^_": {} },
    additionalProperties: false,
  };
}

function list(items: Schema): Schema {
  return { type: "array", items };
}

const pairs = list(object({ name: text, value: text }));
const cookies = list(
  object({ name: text, value: text }, { path: text, domain: text, expires: text }),
);

const request = object(
  {
    method: text,
    url: { type: "string", format: "uri" },
    httpVersion: text,
    cookies,
    headers: pairs,
    queryString: pairs,
    headersSize: size,
    bodySize: size,
  },
  { postData: object({ mimeType: text }, { text, params: pairs }) },
);

const response = object({
  status: { type: "integer" },
  statusText: text,
  httpVersion: text,
  cookies,
  headers: pairs,
  content: object(
    { size: { type: "integer", minimum: 0 }, mimeType: text },
    { text, encoding: text, compression: { type: "integer" } },
  ),
  redirectURL: text,
  headersSize: size,
  bodySize: size,
});

const entry = object(
  {
    startedDateTime: { type: "string", format: "date-time" },
    time: { type: "number", minimum: 0 },
    request,
    response,
    cache: object({}, { beforeRequest: {}, afterRequest: {} }),
    timings: object(
      { send: time, wait: time, receive: time },
      { blocked: time, dns: time, connect: time, ssl: time },
    ),
  },
  { pageref: text, serverIPAddress: text, connection: text },
);

const creator = object({ name: text, version: text });

export const harSchema: Schema = object({
  log: object(
    { version: { const: "1.2" }, creator, entries: list(entry) },
    { browser: creator, pages: list({ type: "object" }) },
  ),
});
