import { didYouMean } from "../../errors/nearest-name.ts";
import { isObject } from "../../schema/json.ts";
import type { Schema } from "../../schema/schema.ts";
import { scriptSchema } from "../../fixture-set/format/script-format.ts";
import { emptyReply, jsonReply } from "../../http/reply.ts";
import { showText } from "../../errors/show.ts";
import type { JsonObject } from "../context.ts";
import { refuse } from "../errors.ts";
import { withBody } from "../read-body.ts";
import type { Body, Route } from "../route.ts";

/** Only that it is an object: the reader of scripts says the rest, what only it can know included. */
const script: Schema<JsonObject> = {
  check: (value, run) => {
    if (!isObject(value)) run.mustBe("an object", value);
  },
  json: (refer) => refer(scriptSchema),
};

const scriptBody: Body<JsonObject> = {
  schema: script,
  whenMissing: undefined,
  example: { name: "greeting", when: { user: "hello" }, reply: { content: "Hi there." } },
};

/** Scripts at run time. */
export const chatRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/chats",
    id: "listChats",
    summary: "Lists the chat scripts in the order in which they are tried",
    success: {
      status: 200,
      description: "The scripts.",
      schema: (refer) => ({
        type: "object",
        properties: {
          chats: { type: "array", items: refer(scriptSchema) },
          matches: {
            type: "object",
            description:
              "How many requests each has answered, by name; those of none are left out.",
            additionalProperties: { type: "integer" },
          },
        },
        required: ["chats", "matches"],
      }),
    },
    errors: [],
    answer: (_, { chats }) => jsonReply(200, { chats: chats.list(), matches: chats.matches() }),
  },
  {
    method: "POST",
    path: "/chats",
    id: "addChat",
    summary: "Adds a chat script before all others",
    body: scriptBody,
    success: {
      status: 201,
      description: "The script as it was added, with its name.",
      schema: (refer) => refer(scriptSchema),
    },
    mistake: "script_refused",
    errors: [],
    answer: ({ call }, { chats }) =>
      withBody(call, scriptBody, async (input) => jsonReply(201, await chats.add(input))),
  },
  {
    method: "DELETE",
    path: "/chats/{name}",
    id: "removeChat",
    summary: "Takes a chat script out",
    name: { name: "name", description: "The script's name.", schema: { type: "string" } },
    success: { status: 204, description: "It is done." },
    errors: ["unknown_script"],
    answer: ({ name }, { chats }) => {
      if (chats.remove(name)) return emptyReply(204);
      const names = chats.list().map((known) => known.name);
      return refuse("unknown_script", {
        message: `Cannot remove the script ${showText(name)}: there is none of that name.${didYouMean(name, names)}`,
      });
    },
  },
];
