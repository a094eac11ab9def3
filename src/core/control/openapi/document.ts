import { fixtureDefinitions, referTo } from "../../fixture-set/format/fixtures-json-schema.ts";
import { controlPrefix } from "../../emulator/routes.ts";
import type { ResolvedSettings } from "../../settings/resolve-settings.ts";
import { profilesOf, type StateProfiles } from "../../emulator/state/export-state.ts";
import { version } from "../../emulator/version.ts";
import type { Body, Parameter, ControlRoute, Success } from "../read-call.ts";
import { allInterfaces, type Interface } from "../../interface.ts";
import type { DescribedTable } from "../../tables/describe.ts";
import {
  controlErrorSchema,
  type Described,
  sessionParameter,
  jsonResponse,
  component,
  text,
} from "../../schema/openapi.ts";
import type { JsonSchema, Refer } from "../../schema/schema.ts";
import { type ControlErrorCode, controlErrors } from "../errors.ts";

/** What the document describes besides the control API. */
export interface DescribedService {
  readonly settings: ResolvedSettings;
  /** Undefined: the base session. */
  readonly sessionId: string | undefined;
  /** The session's tables. */
  readonly tables: readonly DescribedTable[];
}

/** Describes the control API and both interfaces of a session, as OpenAPI 3.1. */
export async function openApiDocument(
  routes: readonly ControlRoute[],
  { settings, sessionId: session, tables }: DescribedService,
): Promise<Described> {
  const { controlToken } = settings;
  const refer = referTo("#/components/schemas");
  const described = await Promise.all(
    allInterfaces.map((one) => describeInterface(one, { settings, sessionId: session, tables })),
  );
  const control = controlPaths(routes, { refer, guarded: controlToken !== undefined });
  const paths = Object.assign({}, ...described.map((one) => one.paths), control);
  const schemas = {
    ...Object.assign({}, ...described.map((one) => one.schemas)),
    ControlError: controlErrorSchema,
    ...fixtureDefinitions(refer),
  };
  return {
    openapi: "3.1.0",
    info: {
      title: "Backlot",
      version,
      description: describeService(profilesOf(settings)),
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: serversAt(session, [""]),
    tags: [
      ...allInterfaces.map(({ name, title }) => ({ name, description: title })),
      { name: "control", description: "What tests and tools ask of Backlot itself." },
    ],
    paths,
    components: {
      securitySchemes: {
        ...Object.assign({}, ...described.map((one) => one.securitySchemes)),
        ...(controlToken === undefined ? {} : { controlToken: controlKey }),
      },
      parameters: { Session: sessionHeader },
      schemas: usedSchemas(paths, withoutCircles(schemas)),
    },
  };
}

type Schemas = Readonly<Record<string, JsonSchema>>;

/** The schemas without self-references, which make client generators produce endless types. */
function withoutCircles(schemas: Schemas): Schemas {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const { $ref } = component(name);
      const again = { description: `Again what \`${name}\` describes.` };
      return [name, withoutReference(schema, { $ref, again })];
    }),
  );
}

function withoutReference<Value>(
  value: Value,
  circle: { readonly $ref: unknown; readonly again: object },
): Value {
  const replaced = (part: unknown): unknown => {
    if (typeof part !== "object" || part === null) return part;
    if (Array.isArray(part)) return part.map(replaced);
    if ("$ref" in part && part.$ref === circle.$ref) return circle.again;
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, replaced(inner)]));
  };
  return replaced(value) as Value;
}

/** The schemas that the paths refer to, directly or through others. */
function usedSchemas(paths: object, schemas: Schemas): Schemas {
  const used = new Map<string, JsonSchema>();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, part] of Object.entries(value)) {
      const name = key === "$ref" ? String(part).replace("#/components/schemas/", "") : "";
      const schema = schemas[name];
      if (schema === undefined) visit(part);
      else if (!used.has(name)) {
        used.set(name, schema);
        visit(schema);
      }
    }
  };
  visit(paths);
  return Object.fromEntries(used);
}

function describeService(profiles: StateProfiles): string {
  return (
    "OpenAI-compatible chat and REST tables from fixtures. " +
    `The profile of the tables is \`${profiles.tables}\`, chat's is \`${profiles.chat}\`. ` +
    "A path that begins with `/@<id>` belongs to a session, which has its own copy of everything that can change."
  );
}

const controlKey: Described = {
  type: "http",
  scheme: "bearer",
  description: "The control token.",
};

const sessionHeader: Described = {
  name: "x-backlot-session",
  in: "header",
  description:
    "The session, in printable ASCII without commas. Default: the base session. A session in the path wins.",
  schema: { type: "string" },
};

interface DescribedInterface {
  readonly paths: Described;
  readonly schemas: Schemas;
  /** The security scheme for the interface's key; empty if no key is needed. */
  readonly securitySchemes: Described;
}

/** An interface at its mount points. */
async function describeInterface(
  one: Interface,
  { settings, sessionId, tables }: DescribedService,
): Promise<DescribedInterface> {
  const { name, key, basePaths, describe, keys } = one;
  const needsKey = keys(settings) !== null;
  const servers = serversAt(sessionId, basePaths(settings));
  const shared = { tags: [name], security: needsKey ? [{ [key.name]: [] }] : [] };
  const endpoints = await describe(settings, tables);
  const paths = new Map<string, object>();
  for (const { method, path, parameters, operation } of endpoints) {
    const place = { servers, parameters: [...parameters, sessionParameter], ...paths.get(path) };
    paths.set(path, { ...place, [method.toLowerCase()]: { ...operation, ...shared } });
  }
  const scheme = { type: "http", scheme: "bearer", description: key.description };
  return {
    paths: Object.fromEntries(paths),
    schemas: Object.assign({}, ...endpoints.map(({ schemas }) => schemas)),
    securitySchemes: needsKey ? { [key.name]: scheme } : {},
  };
}

function serversAt(session: string | undefined, bases: readonly string[]): readonly Described[] {
  const start = session === undefined ? "" : `/@${encodeURIComponent(session)}`;
  return bases.map((base) => ({ url: `${start}${base}` || "/" }));
}

const foreignCallers: readonly ControlErrorCode[] = [
  "foreign_host",
  "foreign_peer",
  "foreign_origin",
  "wrong_token",
];
const ofQueries: readonly ControlErrorCode[] = ["unknown_parameter", "repeated_parameter"];
const ofBodies: readonly ControlErrorCode[] = [
  "unsupported_media_type",
  "body_too_large",
  "incomplete_body",
  "not_json",
  "invalid_body",
];

/** The codes with which only this route, or few others, can refuse a call. */
export function ownErrorsOf({
  mistake,
  errors = [],
  needsTables,
}: ControlRoute): readonly ControlErrorCode[] {
  return [
    ...(mistake === undefined ? [] : [mistake]),
    ...errors,
    ...(needsTables === undefined ? [] : (["tables_unavailable"] as const)),
  ];
}

/** Every code with which a matched route can refuse a call. */
export function errorsOf(route: ControlRoute): readonly ControlErrorCode[] {
  return [
    ...(route.open === true ? [] : foreignCallers),
    "invalid_session",
    ...(route.name === undefined ? [] : (["invalid_path"] as const)),
    ...ofQueries,
    ...(route.body === undefined ? [] : ofBodies),
    ...ownErrorsOf(route),
  ];
}

/** The paths of the control API, made from its routes. */
export function controlPaths(routes: readonly ControlRoute[], options: PathOptions): Described {
  const paths = new Map<string, Described>();
  for (const route of routes) {
    // The console also answers without the trailing slash, and tools dislike that slash.
    const path = route.path === "/" ? controlPrefix : controlPrefix + route.path;
    const operation = { [route.method.toLowerCase()]: operationOf(route, options) };
    paths.set(path, { parameters: [sessionParameter], ...paths.get(path), ...operation });
  }
  return Object.fromEntries(paths);
}

interface PathOptions {
  readonly refer: Refer;
  /** Whether a token is needed. */
  readonly guarded: boolean;
}

function operationOf(route: ControlRoute, { refer, guarded }: PathOptions): Described {
  const { id, summary, description, name, query = [], body, success } = route;
  const parameters = [
    ...(name === undefined ? [] : [parameterOf(name, "path")]),
    ...query.map((parameter) => parameterOf(parameter, "query")),
  ];
  return {
    operationId: id,
    tags: ["control"],
    summary,
    ...(description === undefined ? {} : { description }),
    security: guarded && route.open !== true ? [{ controlToken: [] }] : [],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: bodyOf(body, refer) }),
    responses: {
      [success.status ?? 200]: answerOf(success, refer),
      ...refusalsOf(errorsOf(route)),
    },
  };
}

function answerOf({ description, schema, contentType }: Success, refer: Refer): Described {
  if (schema === undefined) return { description };
  if (contentType === undefined) return jsonResponse(description, schema(refer));
  return { description, content: { [contentType]: { schema: schema(refer) } } };
}

function parameterOf(
  { name, description, schema = text, example }: Parameter,
  place: "path" | "query",
): Described {
  const required = place === "path" ? { required: true } : {};
  const shown = example === undefined ? {} : { example };
  return { name, description, schema, in: place, ...required, ...shown };
}

function bodyOf({ schema, whenMissing, example }: Body, refer: Refer): Described {
  return {
    required: whenMissing === undefined,
    content: { "application/json": { schema: schema.json(refer), example } },
  };
}

/** The refusals by status, since OpenAPI allows one response for each status. The description lists the codes. */
function refusalsOf(codes: readonly ControlErrorCode[]): Readonly<Record<string, Described>> {
  const lines = new Map<number, string[]>();
  for (const code of codes) {
    const { status, when } = controlErrors[code];
    lines.set(status, [...(lines.get(status) ?? []), `\`${code}\`: ${when}`]);
  }
  const schema = component("ControlError");
  return Object.fromEntries(
    [...lines].map(([status, whens]) => [status, jsonResponse(whens.join("\n\n"), schema)]),
  );
}
