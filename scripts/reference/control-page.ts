import { errorsOf, ownErrorsOf } from "../../src/core/control/openapi/document.ts";
import { controlErrors } from "../../src/core/control/errors.ts";
import type { ControlRoute } from "../../src/core/control/read-call.ts";
import { controlPrefix } from "../../src/core/emulator/routes.ts";
import { routes } from "../../src/core/control/routes.ts";
import { referTo } from "../../src/core/fixture-set/format/fixtures-json-schema.ts";
import type { JsonSchema } from "../../src/core/schema/schema.ts";
import { type LinkTo, typeOf } from "./describe-schema.ts";
import { linkToFault, linkToFixtures } from "./fixtures-page.ts";
import { keysToGet, keysToGive } from "./key-tables.ts";
import { code, page, table } from "./markdown.ts";

const refer = referTo("#/$defs");

const introduction = `# The control API: every route

Tests in other processes and languages use these routes of a running server. The build writes this page from the code. A server
describes the same routes, and both interfaces, as OpenAPI 3.1 at \`${controlPrefix}/openapi.json\`.
[Who may call](../../docs/sessions.md#the-control-api), and [what sessions and snapshots are](../../docs/sessions.md).

Paths are below \`${controlPrefix}\`. To address a session, put \`/@<id>\` in front or send the header \`x-backlot-session: <id>\`. Bodies and
answers are JSON unless a route says otherwise. From JavaScript, \`connect(url)\` of \`backlot/node\` covers most routes:
[In your tests](../../docs/testing.md#without-vitest).`;

const errors = `## Errors

\`{"error": {"code", "message", "problems"?}}\`. A refused call changes nothing. Any route can
refuse with ${listed(commonCodes())}; a route with a body can also refuse with
${listed(bodyCodes())}. An unknown path gets 404 \`unknown_path\`, another method 405
\`method_not_allowed\`. Each route below lists its further errors.

${table(
  ["status", "code", "when"],
  Object.entries(controlErrors).map(([name, { status, when }]) => [`${status}`, code(name), when]),
)}`;

/** The page of the control API, made of its routes. */
export function controlPage(): string {
  const overview = table(
    ["route", "does"],
    routes.map((route) => [`[${code(nameOf(route))}](#${anchorOf(route)})`, route.summary]),
  );
  return page(introduction, overview, errors, ...routes.map(section));
}

function nameOf({ method, path }: ControlRoute): string {
  return `${method} ${path}`;
}

function anchorOf(route: ControlRoute): string {
  return nameOf(route)
    .toLowerCase()
    .replaceAll(/[^\w -]/g, "")
    .replaceAll(" ", "-");
}

function section(route: ControlRoute): string {
  const { summary, description = "" } = route;
  const refused = ownErrorsOf(route);
  return page(
    `## ${nameOf(route)}`,
    `${summary}. ${description}`.trim(),
    parameters(route),
    ...bodyOf(route),
    ...answerOf(route),
    refused.length === 0 ? "" : `**Refuses** with ${listed(refused)}.`,
  ).trimEnd();
}

function parameters({ name, query = [] }: ControlRoute): string {
  const inPath = name === undefined ? [] : [{ ...name, name: `{${name.name}}` }];
  const inQuery = query.map((one) => ({ ...one, name: `?${one.name}=` }));
  return table(
    ["in the address", "type", "meaning"],
    [...inPath, ...inQuery].map((one) => [
      code(one.name),
      typeOf(one.schema ?? { type: "string" }, linkToFixtures),
      one.description,
    ]),
  );
}

function bodyOf(route: ControlRoute): readonly string[] {
  if (route.body === undefined) return [];
  const { schema, whenMissing, example } = route.body;
  const described = schema.json(refer);
  const optional = whenMissing === undefined ? "" : " (optional)";
  return [
    `**Body**${optional}${typeIn(described, route)}. Such as ${code(JSON.stringify(example))}.`,
    keysToGive(described, linksOf(route)),
  ];
}

function answerOf(route: ControlRoute): readonly string[] {
  const { status = 200, description, schema, contentType } = route.success;
  const described = schema?.(refer);
  if (contentType !== undefined || described === undefined) {
    const type = contentType === undefined ? "" : ` ${code(contentType)}`;
    return [`**Answers** ${status}${type}. ${description}`];
  }
  const type = typeIn(described, route);
  return [`**Answers** ${status}${type}. ${description}`, keysToGet(described, linksOf(route))];
}

/** Where a body is an object, its table says it all. */
function typeIn(schema: JsonSchema, route: ControlRoute): string {
  const type = typeOf(schema, linksOf(route));
  return type === "object" ? "" : `: ${type}`;
}

/** A planned fault is described where one is made. */
function linksOf({ id }: ControlRoute): LinkTo {
  if (id === "addFault") return linkToFixtures;
  return (schema) => linkToFixtures(schema) ?? linkToFault(schema);
}

function listed(codes: readonly (keyof typeof controlErrors)[]): string {
  return codes.map((one) => `${controlErrors[one].status} ${code(one)}`).join(", ");
}

/** What every route can refuse with that does not answer anyone. */
function commonCodes(): readonly (keyof typeof controlErrors)[] {
  const guarded = routes.filter(({ open }) => open !== true).map(errorsOf);
  return (guarded[0] ?? []).filter((one) => guarded.every((all) => all.includes(one)));
}

function bodyCodes(): readonly (keyof typeof controlErrors)[] {
  const withBody = routes.filter(({ body }) => body !== undefined).map(errorsOf);
  const common = commonCodes();
  return (withBody[0] ?? []).filter(
    (one) => withBody.every((all) => all.includes(one)) && !common.includes(one),
  );
}
