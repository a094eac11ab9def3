import { addScript, removeScript } from "../../emulator/chats.ts";
import { matchCounts } from "../../emulator/state/export-state.ts";
import { scriptSchema } from "../../fixture-set/format/script-format.ts";
import { readScript } from "../../fixture-set/read-script.ts";
import { ScriptBook } from "../../chat/scripts/script-book.ts";
import type { JsonObject } from "../../schema/json.ts";
import { jsonReply, type Reply } from "../../http/reply.ts";
import { refuseUnwatched } from "../errors.ts";
import { count, listOf, objectOf, text } from "../../schema/openapi.ts";
import { objectBody, withBody, type ControlRoute, type ControlScene, done } from "../read-call.ts";

const scriptBody = objectBody((refer) => refer(scriptSchema), {
  name: "greeting",
  when: { user: "hello" },
  reply: { content: "Hi there." },
});

/** Writes a script as a file of its own into the folder of the fixtures. */
async function writeScript(
  input: JsonObject,
  { setup: { fixtures, sessions }, folder }: ControlScene,
): Promise<Reply> {
  if (folder === undefined) return refuseUnwatched("write the script");
  const tables = fixtures.tables.map(({ schema }) => schema.name);
  const script = await readScript(input, { tables });
  // Throws if the folder already has a script with that name.
  ScriptBook.of([...fixtures.scripts, script]);
  sessions.base.state.added.take(script);
  const file = `chats/${fileNameOf(script.name)}.json`;
  await folder.write(file, `${JSON.stringify({ name: script.name, ...input }, undefined, 2)}\n`);
  return jsonReply(201, { file: `${folder.label}/${file}` });
}

/** A file name that every operating system allows. */
function fileNameOf(script: string): string {
  const words = script.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ["script"];
  return words.join("-").slice(0, 80);
}

/** Reads and changes the scripts of a running emulator. */
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
    name: { name: "name", description: "The script's name.", example: "greeting" },
    success: done,
    mistake: "unknown_script",
    answer: ({ name }, { session }) => removeScript(session, name),
  },
  {
    method: "POST",
    path: "/fixtures/chats",
    id: "writeChat",
    summary: "Writes a chat script into the fixtures folder",
    description:
      "Needs `--watch` on a folder, from which the server then loads all fixtures again. The file is in `chats/` and named after the script. An existing file is never overwritten.",
    body: scriptBody,
    success: {
      status: 201,
      description: "The path of the file.",
      schema: () => objectOf({ file: text }),
    },
    mistake: "script_refused",
    errors: ["not_watching"],
    answer: (request, scene) => withBody(request, scriptBody, (input) => writeScript(input, scene)),
  },
];
