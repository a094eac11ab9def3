import { expect, test } from "vitest";
import {
  chatProfiles,
  documentChatProfile,
  openaiProfile,
} from "../../../src/core/chat/profiles.ts";

test("finds a profile by its name, and none by a name that every object has", () => {
  expect([...chatProfiles]).toEqual([
    ["document", documentChatProfile],
    ["openai", openaiProfile],
  ]);
  expect(["constructor", "__proto__"].map((name) => chatProfiles.get(name))).toEqual([
    undefined,
    undefined,
  ]);
});

test.each([[documentChatProfile], [openaiProfile]])(
  "loads its rules once: $name",
  async (profile) => {
    const rules = await profile.rules();
    expect(await profile.rules()).toBe(rules);
  },
);
