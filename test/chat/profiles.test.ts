import { expect, test } from "vitest";
import { chatProfiles } from "../../src/chat/profiles.ts";

test("finds a profile by its name, and none by a name that every object has", () => {
  expect(chatProfiles.get("document")?.name).toBe("document");
  expect(["openai", "constructor", "__proto__"].map((name) => chatProfiles.get(name))).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect([...chatProfiles.keys()]).toEqual(["document"]);
});
