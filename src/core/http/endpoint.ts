/** The forms in which a conversation is sent to a model. */
export type ConversationForm = "completions" | "responses";

/** An operation of an interface. */
export interface Endpoint {
  /** `GET` includes HEAD. */
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /**
   * The path below the interface's mount point. A name in braces stands for one segment, or, at the end, for the rest
   * of the path.
   */
  readonly path: string;
  /** An example body for a first request. `model` is an existing model. */
  readonly example?: (model: string) => object;
  /** The form in which the endpoint takes a conversation; absent if it takes none. */
  readonly form?: ConversationForm;
}

/** The endpoints of one path: none if the path is unknown. */
export interface Place<Row extends Endpoint> {
  readonly endpoints: readonly Row[];
  /** The value of the name in braces, still percent-encoded. */
  readonly name: string;
}

/** Finds the endpoints of a path that is still percent-encoded. If several patterns match, the longest wins. */
export function findPlace<Row extends Endpoint>(all: readonly Row[], path: string): Place<Row> {
  const exact = all.filter((endpoint) => endpoint.path === path);
  if (exact.length > 0) return { endpoints: exact, name: "" };
  const matching = all.filter((endpoint) => nameIn(path, endpoint.path) !== undefined);
  const longest = Math.max(...matching.map((endpoint) => endpoint.path.length));
  const endpoints = matching.filter((endpoint) => endpoint.path.length === longest);
  const [first] = endpoints;
  return { endpoints, name: (first && nameIn(path, first.path)) ?? "" };
}

/** The value of a pattern's name in braces; empty if it has none. Undefined: the path does not match. */
function nameIn(path: string, pattern: string): string | undefined {
  const brace = pattern.indexOf("{");
  if (brace === -1) return path === pattern ? "" : undefined;
  const end = pattern.slice(pattern.indexOf("}") + 1);
  if (!path.startsWith(pattern.slice(0, brace)) || !path.endsWith(end)) return undefined;
  const name = path.slice(brace, path.length - end.length);
  const isOneSegment = end !== "" && name.includes("/");
  return name === "" || isOneSegment ? undefined : name;
}

/** The endpoint of a path for a method; undefined if the path has only others. */
export function endpointFor<Row extends Endpoint>(
  { endpoints }: Place<Row>,
  method: string,
): Row | undefined {
  const wanted = method === "HEAD" ? "GET" : method;
  return endpoints.find((endpoint) => endpoint.method === wanted);
}

/** The methods that a path answers. */
export function methodsAt({ endpoints }: Place<Endpoint>): readonly string[] {
  return endpoints.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]));
}

/** The paths up to their first name in braces. All paths below these belong to the interface. */
export function rootsOf(endpoints: readonly Endpoint[]): readonly string[] {
  const starts = endpoints.map(({ path }) => path.replace(/\/\{.*$/, ""));
  return [...new Set(starts)];
}
