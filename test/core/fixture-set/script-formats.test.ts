import { expect, test } from "vitest";
import { readFixtureDocument } from "../../../src/core/fixture-set/read-fixtures.ts";
import { readScript } from "../../../src/core/fixture-set/read-script.ts";

const script = {
  name: "trip",
  when: { request: { "response_format.type": "json_object" } },
  reply: { content: "Sorry" },
};

test("names the content that is not of the form that its script asks for", async () => {
  await expect(readFixtureDocument({ chats: [script] })).rejects.toThrow(
    /chats\[0\]\.reply\.content: The content is not JSON\./,
  );
});

test("refuses such a script at run time too", async () => {
  await expect(readScript(script)).rejects.toThrow(/reply\.content: The content is not JSON\./);
});
