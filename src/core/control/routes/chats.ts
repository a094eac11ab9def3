import { addScript, removeScript } from "../../emulator/chats.ts";
import { matchCounts } from "../../emulator/state/export-state.ts";
import { scriptSchema } from "../../fixture-set/format/script-format.ts";
import { readScript } from "../../fixture-set/read-script.ts";
import { jsonReply } from "../../http/reply.ts";
import { count, listOf, objectOf } from "../openapi/schemas.ts";
import { objectBody, withBody } from "../read-call.ts";
import { type ControlRoute, done } from "../route.ts";

const scriptBody = objectBody((refer) => refer(scriptSchema), {
  name: "greeting",
  when: { user: "hello" },
  reply: { content: "Hi there." },
});

/** Scripts at run time. */
export const chatRoutes: readonly ControlRoute[] = [
  {
    method: "GET",
    path: "/chats",
    id: "listChats",
    summary: "Lists the chat scripts in the order in which Backlot tries them",
    success: {
      description: "The scripts.",
      schema: (refer) =>
        objectOf({
          chats: listOf(refer(scriptSchema)),
          matches: {
            type: "object",
            description:
              "How many requests each script answered, by name; scripts that answered none are missing.",
            additionalProperties: count,
          },
        }),
    },
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
      description: "The added script, with its name.",
      schema: (refer) => refer(scriptSchema),
    },
    mistake: "script_refused",
    answer: (request, scene) =>
      withBody(request, scriptBody, async (input) =>
        jsonReply(201, await addScript(scene.session, input, readScript)),
      ),
  },
  {
    method: "DELETE",
    path: "/chats/{name}",
    id: "removeChat",
    summary: "Removes a chat script",
    name: { name: "name", description: "The script's name." },
    success: done,
    mistake: "unknown_script",
    answer: ({ name }, { session }) => removeScript(session, name),
  },
];
