import type { JsonSchema } from "../../schema/schema.ts";
import { jsonReply } from "../../http/reply.ts";
import type { ControlContext } from "../context.ts";
import { refuse } from "../errors.ts";
import type { Route } from "../route.ts";

const text: JsonSchema = { type: "string" };
const textOrNull: JsonSchema = { type: ["string", "null"] };

const setupSchema: JsonSchema = {
  type: "object",
  properties: {
    version: text,
    session: { ...textOrNull, description: "Null: the base session." },
    profiles: { type: "object", properties: { rest: text, chat: text } },
    basePaths: { type: "object", properties: { rest: text, chat: text } },
    keys: {
      type: "object",
      description: "What each interface asks for. Null: nothing.",
      properties: { rest: textOrNull, chat: textOrNull },
    },
    tables: {
      type: "array",
      items: {
        type: "object",
        properties: {
          name: text,
          primaryKey: { type: "array", items: text },
          columns: { type: "array", items: { type: "object" } },
          rows: { type: "integer" },
        },
      },
    },
  },
};

/** What the page has to know before it can ask for the rest. */
function consoleSetup({ settings, session, tables, keys }: ControlContext): object {
  const { version, profiles, basePaths } = settings;
  return {
    version,
    session: session ?? null,
    profiles,
    // Of several: short paths for tables, and for chat what SDKs are given.
    basePaths: { rest: basePaths.rest.at(-1) ?? "", chat: basePaths.chat[0] ?? "" },
    keys: keys(),
    tables: tables.describe(),
  };
}

/** The console: a web page to watch requests, browse tables and try chats. */
export const consoleRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/",
    id: "getConsole",
    summary: "Gives the console, a web page",
    description:
      "Also without the slash at the end. The page is the same for all and knows no keys, so that a browser can load it from anywhere; what it shows it asks for by the other routes.",
    open: true,
    success: {
      status: 200,
      description: "The page.",
      contentType: "text/html",
      schema: () => text,
    },
    errors: [],
    answer: async (_, { console }) => {
      if (console === undefined) {
        return refuse("unknown_path", { message: "This emulator was made without a console." });
      }
      const { consolePage, consolePolicy } = await console();
      return {
        status: 200,
        headers: {
          "content-type": "text/html; charset=utf-8",
          "content-security-policy": consolePolicy,
          "referrer-policy": "no-referrer",
          "cross-origin-opener-policy": "same-origin",
        },
        body: { kind: "text", text: consolePage },
      };
    },
  },
  {
    method: "GET",
    path: "/console.json",
    id: "getConsoleSetup",
    summary: "Gives what the console starts from, the keys of both interfaces included",
    success: {
      status: 200,
      description: "Base paths, keys and the tables with their columns.",
      schema: () => setupSchema,
    },
    errors: [],
    answer: (_, context) => jsonReply(200, consoleSetup(context)),
  },
];
