import { createEmulator } from "../../src/index.ts";
import { allInterfaces, type Interface } from "../../src/core/interface.ts";
import type { JsonSchema } from "../../src/core/schema/schema.ts";
import { typeOf } from "./describe-schema.ts";
import { outerKeysToGive } from "./key-tables.ts";
import { code, page, table } from "./markdown.ts";

/** As far as the page reads the OpenAPI document of a server. */
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

interface Operation {
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Answer;
  readonly responses: Readonly<Record<string, Answer>>;
}

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly description?: string;
  readonly schema: JsonSchema;
}

interface Answer {
  readonly description?: string;
  readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>>;
}

const introduction = `# The interfaces: every endpoint

The build writes this page from the code, under the default profiles. A server describes the same, with its own tables, as OpenAPI 3.1
at \`/__backlot/openapi.json\`. Paths are below each mount point: \`/\` and \`/v1\`. [What they are for](../../docs/tables.md).`;

/** Names that say what stands there. */
const tableName = "{table}";
const columnName = "<column>";

/** The page of both interfaces, made of what an emulator with one table says of them. */
export async function interfacesPage(): Promise<string> {
  const only = { primaryKey: columnName, columns: { [columnName]: "ANY" }, rows: [] };
  const emulator = await createEmulator({ fixtures: { tables: { [tableName]: only } } });
  const answer = await emulator.fetch("/__backlot/openapi.json");
  // It is what our own document has.
  const document = (await answer.json()) as Document;
  return page(introduction, ...allInterfaces.map((one) => section(one, document)));
}

interface Endpoint {
  readonly name: string;
  readonly operation: Operation;
}

function section({ name, title }: Interface, document: Document): string {
  const endpoints = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags?.includes(name))
      .map(([method, operation]) => ({
        name: `${method.toUpperCase()} ${decodeURIComponent(path)}`,
        operation,
      })),
  );
  const overview = endpoints.map((one) => [
    code(one.name),
    one.operation.summary.replace(` of ${tableName}`, ""),
    successOf(one.operation),
  ]);
  return page(
    `## ${name}`,
    title,
    table(["endpoint", "does", "answers"], overview),
    table(["refuses with", "when"], refusals(endpoints)),
    ...endpoints.map((one) => taken(one, document)),
  ).trimEnd();
}

function successOf({ responses }: Operation): string {
  return Object.entries(responses)
    .filter(([status]) => isSuccess(status))
    .map(([status, { description = "" }]) => `${status}. ${description}`)
    .join(" ");
}

function isSuccess(status: string): boolean {
  return status.startsWith("2");
}

/** The statuses of errors, each with all that it can mean. */
function refusals(endpoints: readonly Endpoint[]): readonly (readonly string[])[] {
  const meanings = new Map<string, Set<string>>();
  for (const { operation } of endpoints) {
    for (const [status, { description = "" }] of Object.entries(operation.responses)) {
      if (isSuccess(status)) continue;
      const known = meanings.get(status) ?? new Set();
      meanings.set(status, known.add(description));
    }
  }
  return [...meanings]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([status, texts]) => [status, [...texts].join(" ")]);
}

/** What an endpoint takes besides its path. The keys within those of a body are in the OpenAPI document. */
function taken({ name, operation }: Endpoint, { components }: Document): string {
  const { parameters = [], requestBody } = operation;
  const inAddress = parameters.map((one) => [
    code(one.name),
    typeOf(one.schema, () => undefined),
    one.description ?? "",
  ]);
  const { $ref = "" } = Object.values(requestBody?.content ?? {})[0]?.schema ?? {};
  const body = components.schemas[String($ref).split("/").at(-1) ?? ""];
  const tables = [
    table(["in the address", "type", "meaning"], inAddress),
    body === undefined ? "" : outerKeysToGive(body),
  ].filter((one) => one !== "");
  return tables.length === 0 ? "" : page(`### ${name}`, ...tables).trimEnd();
}
