import type { Refer } from "../../schema/schema.ts";
import { type ControlErrorCode, controlErrors } from "../errors.ts";
import { controlPrefix } from "../prefix.ts";
import type { Body, Parameter, Route, Success } from "../route.ts";
import { component, type Described, jsonResponse, sessionParameter } from "./operation.ts";

const strangers: readonly ControlErrorCode[] = [
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

/** Every code with which a route can refuse a call that has found it. */
export function errorsOf(route: Route): readonly ControlErrorCode[] {
  return [
    ...(route.open === true ? [] : strangers),
    "invalid_session",
    ...(route.name === undefined ? [] : (["invalid_path"] as const)),
    ...ofQueries,
    ...(route.body === undefined ? [] : ofBodies),
    ...(route.mistake === undefined ? [] : [route.mistake]),
    ...route.errors,
  ];
}

/** The paths of the control API, made of its routes. */
export function controlPaths(routes: readonly Route[], surroundings: Surroundings): Described {
  const paths = new Map<string, Described>();
  for (const route of routes) {
    const path = controlPrefix + route.path;
    const operation = { [route.method.toLowerCase()]: operationOf(route, surroundings) };
    paths.set(path, { parameters: [sessionParameter], ...paths.get(path), ...operation });
  }
  return Object.fromEntries(paths);
}

interface Surroundings {
  readonly refer: Refer;
  /** Whether a token is asked for. */
  readonly guarded: boolean;
}

function operationOf(route: Route, { refer, guarded }: Surroundings): Described {
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
    responses: { [success.status]: answerOf(success, refer), ...refusalsOf(errorsOf(route)) },
  };
}

function answerOf({ description, schema, contentType }: Success, refer: Refer): Described {
  if (schema === undefined) return { description };
  if (contentType === undefined) return jsonResponse(description, schema(refer));
  return { description, content: { [contentType]: { schema: schema(refer) } } };
}

function parameterOf(parameter: Parameter, place: "path" | "query"): Described {
  return { ...parameter, in: place, ...(place === "path" ? { required: true } : {}) };
}

function bodyOf({ schema, whenMissing, example }: Body, refer: Refer): Described {
  return {
    required: whenMissing === undefined,
    content: { "application/json": { schema: schema.json(refer), example } },
  };
}

/** By status, since OpenAPI has one response for each; the codes stand in its description. */
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
