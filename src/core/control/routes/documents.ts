import { fixturesJsonSchema } from "../../fixture-set/format/fixtures-json-schema.ts";
import { jsonReply } from "../../http/reply.ts";
import type { Route } from "../route.ts";

/** What describes the emulator to programs. */
export const documentRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/openapi.json",
    id: "getOpenApi",
    summary: "Describes the control API and both interfaces as OpenAPI 3.1",
    success: {
      status: 200,
      description: "The document, of the interfaces as their profiles behave.",
      schema: () => ({ type: "object" }),
    },
    errors: [],
    // Loaded when it is asked for: few ask for it.
    answer: async ({ routes }, context) => {
      const { openApiDocument } = await import("../openapi/document.ts");
      return jsonReply(200, openApiDocument(routes, context));
    },
  },
  {
    method: "GET",
    path: "/fixtures.schema.json",
    id: "getFixturesSchema",
    summary: "Gives the JSON Schema of fixtures",
    success: {
      status: 200,
      description: "The schema, the same as `fixtures.schema.json` of the package.",
      schema: () => ({ type: "object" }),
    },
    errors: [],
    answer: () => jsonReply(200, fixturesJsonSchema()),
  },
];
