import { fixtureDefinitions, referTo } from "../../fixture-set/format/fixtures-json-schema.ts";
import type { ControlContext, ServiceSettings } from "../context.ts";
import type { Route } from "../route.ts";
import { chatDescriptions } from "./chat.ts";
import { controlErrorSchema } from "./components.ts";
import { controlPaths } from "./control-paths.ts";
import { type Described, type DescribedPaths, sessionParameter } from "./operation.ts";
import { documentTables } from "./tables-document.ts";
import { starbasedbTables } from "./tables-starbasedb.ts";

const tables = { document: documentTables, starbasedb: starbasedbTables } as const;

/** Describes the control API and both interfaces, as OpenAPI 3.1, for the session that is asked. */
export function openApiDocument(
  routes: readonly Route[],
  { access, session, settings, tables: own }: ControlContext,
): Described {
  const { auth, basePaths, profiles, version } = settings;
  const rest = tables[profiles.rest](own.names());
  const chat = chatDescriptions[profiles.chat];
  const refer = referTo("#/components/schemas");
  const control = controlPaths(routes, { refer, guarded: access.token !== undefined });
  return {
    openapi: "3.1.0",
    info: { title: "Backlot", version, description: describeService(settings) },
    servers: serversAt(session, [""]),
    tags: [{ name: "chat" }, { name: "tables" }, { name: "control" }],
    paths: {
      ...inPlace(chat.paths, { session, bases: basePaths.chat, security: keyOf("apiKey", auth) }),
      ...inPlace(rest.paths, {
        session,
        bases: basePaths.rest,
        security: keyOf("tablesToken", auth),
      }),
      ...control,
    },
    components: {
      securitySchemes,
      parameters: { Session: sessionHeader },
      schemas: {
        ...chat.schemas,
        ...rest.schemas,
        ControlError: controlErrorSchema,
        ...fixtureDefinitions(refer),
      },
    },
  };
}

function describeService({ profiles }: ServiceSettings): string {
  return (
    "A local stand-in for chat completions and tables over REST, driven by fixtures. " +
    `The profile of the tables is \`${profiles.rest}\`, that of chat \`${profiles.chat}\`. ` +
    "A path that begins with `/@<id>` is that of a session: a copy of its own of everything that can change."
  );
}

const securitySchemes: Described = {
  apiKey: {
    type: "http",
    scheme: "bearer",
    description: "One of `apiKeys`, or any where there are none.",
  },
  tablesToken: { type: "http", scheme: "bearer", description: "The `AUTHORIZATION_TOKEN`." },
  controlToken: { type: "http", scheme: "bearer", description: "The control token." },
};

const sessionHeader: Described = {
  name: "x-backlot-session",
  in: "header",
  description:
    "The session that is asked, in printable ASCII without commas. Default: the base session. One in the path comes before it.",
  schema: { type: "string" },
};

function keyOf(scheme: string, auth: boolean): readonly Described[] {
  return auth ? [{ [scheme]: [] }] : [];
}

/** Where an interface is, and who may ask it. */
interface Mount {
  readonly session: string | undefined;
  readonly bases: readonly string[];
  readonly security: readonly Described[];
}

/** Paths below the places where they are mounted, with what all of their operations have. */
function inPlace(paths: DescribedPaths, { session, bases, security }: Mount): Described {
  const servers = serversAt(session, bases);
  const items = Object.entries(paths).map(([path, { parameters, operations }]) => {
    const guarded = Object.entries(operations).map(([method, operation]) => [
      method,
      { ...operation, security },
    ]);
    return [
      path,
      { servers, parameters: [...parameters, sessionParameter], ...Object.fromEntries(guarded) },
    ];
  });
  return Object.fromEntries(items);
}

function serversAt(session: string | undefined, bases: readonly string[]): readonly Described[] {
  const start = session === undefined ? "" : `/@${encodeURIComponent(session)}`;
  return bases.map((base) => ({ url: `${start}${base}` || "/" }));
}
