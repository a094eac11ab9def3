import { didYouMean } from "../../errors/nearest-name.ts";
import { isObject, type JsonObject } from "../../schema/json.ts";
import type { Schema } from "../../schema/schema.ts";
import { scriptSchema } from "../../fixture-set/format/script-format.ts";
import { emptyReply, jsonReply } from "../../http/reply.ts";
import { showText } from "../../errors/show.ts";
import { matchCounts } from "../../emulator/state/export-state.ts";
import { readScript } from "../../fixture-set/read-script.ts";
import type { ScriptBook } from "../../chat/scripts/script-book.ts";
import { refuse } from "../errors.ts";
import { withBody } from "../read-call.ts";
import type { Body, ControlRoute } from "../route.ts";

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

function nextName(scripts: ScriptBook): string {
  const taken = new Set(scripts.list().map(({ name }) => name));
  let number = 1;
  while (taken.has(`added ${number}`)) number++;
  return `added ${number}`;
}

/** Scripts at run time. */
export const chatRoutes: readonly ControlRoute[] = [
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
    answer: (_, { session: { state } }) =>
      jsonReply(200, { chats: state.scripts.list(), matches: matchCounts(state.scripts) }),
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
    answer: ({ call }, scene) =>
      withBody(call, scriptBody, async (input) => {
        const { scripts } = scene.session.state;
        const added = await readScript(input, { defaultName: nextName(scripts) });
        // Throws for a name that is taken.
        scripts.add(added);
        return jsonReply(201, added);
      }),
  },
  {
    method: "DELETE",
    path: "/chats/{name}",
    id: "removeChat",
    summary: "Takes a chat script out",
    name: { name: "name", description: "The script's name.", schema: { type: "string" } },
    success: { status: 204, description: "It is done." },
    errors: ["unknown_script"],
    answer: ({ name }, { session }) => {
      const { scripts } = session.state;
      if (scripts.remove(name)) return emptyReply(204);
      const names = scripts.list().map((known) => known.name);
      return refuse("unknown_script", {
        message: `Cannot remove the script ${showText(name)}: there is none of that name.${didYouMean(name, names)}`,
      });
    },
  },
];
