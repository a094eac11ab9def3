import type { Service, Settings } from "../transports.ts";

/** The strict profile, under which all that a real client sends has to pass. */
export const strict: Settings = { profiles: { chat: "openai" } };

/** What a client made of a stream, in terms that all clients have. */
export interface StreamOutcome {
  /** The text of each choice; of the only one where a client knows no others. */
  readonly texts: readonly string[];
  readonly reasoning: string;
  /** Name and arguments of each tool call, the arguments as they came. */
  readonly calls: readonly (readonly [name: string, args: string])[];
  readonly finish: string | undefined;
  /** All tokens together, where usage came. */
  readonly tokens: number | undefined;
  /** The name of the error that ended or marred the stream. */
  readonly error: string | undefined;
}

/** Fields of a request that go on the wire whether the client knows them or not. */
export type Fields = Readonly<Record<string, unknown>>;

/** A way of a client to read a stream. */
export type ReadStream = (service: Service, fields: Fields) => Promise<StreamOutcome>;

/** How a client of this service is set up: with a fetch of its own only where the global one does not get there. */
export function connection(service: Service): {
  apiKey: string;
  baseURL: string;
  fetch?: typeof fetch;
} {
  const { clientFetch, isGlobal, baseUrl } = service;
  return {
    apiKey: "local-key",
    baseURL: `${baseUrl}/v1`,
    ...(isGlobal ? {} : { fetch: clientFetch }),
  };
}

/** A fetch that adds fields to the JSON of each request. */
export function addingFields(service: Service, fields: Fields): typeof fetch {
  return (input, init) => {
    if (typeof init?.body !== "string") return service.clientFetch(input, init);
    const body = JSON.stringify({ ...JSON.parse(init.body), ...fields });
    return service.clientFetch(input, { ...init, body });
  };
}

/** The name of an error, of which SDKs set either it or only the class, and `object` for what is none. */
export function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return error.name === "Error" ? error.constructor.name : error.name;
}
