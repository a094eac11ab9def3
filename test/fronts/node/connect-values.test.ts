import { expect, test } from "vitest";
import { served } from "./served-remote.ts";

type Remote = Awaited<ReturnType<typeof served>>["remote"];

/** What JavaScript, which has no types, may give. */
const anything = (value: unknown): never => value as never;

test.each<[string, (remote: Remote) => Promise<unknown>, string, string]>([
  [
    "a script with a function",
    ({ chats }) => chats.add(anything({ when: () => true, reply: { content: "x" } })),
    "ERR_SCRIPT_REFUSED",
    "when: The value is a function",
  ],
  [
    "a script with a Map",
    ({ chats }) => chats.add(anything({ reply: { content: new Map() } })),
    "ERR_SCRIPT_REFUSED",
    "reply.content: The value is an object of the class Map",
  ],
  [
    "a script with undefined in a list",
    ({ chats }) => chats.add(anything({ replies: [{ content: "x" }, undefined] })),
    "ERR_SCRIPT_REFUSED",
    "replies[1]: The value is undefined",
  ],
  [
    "a fault with NaN",
    ({ faults }) => faults.add({ status: Number.NaN }),
    "ERR_FAULT_REFUSED",
    "status: The value is NaN",
  ],
  [
    "rows with a bigint",
    ({ tables }) => tables.users.replaceRows([{ id: anything(1n) }]),
    "ERR_ROW_REFUSED",
    "[0].id: The value is the bigint 1n",
  ],
  [
    "a seed that is a bigint",
    (remote) => remote.session("one").begin({ seed: anything(5n) }),
    "ERR_OPTION_INVALID",
    "seed: The value is the bigint 5n",
  ],
  [
    "a clock that is a bigint",
    (remote) => remote.session("one").begin({ clock: anything(5n) }),
    "ERR_OPTION_INVALID",
    "the option clock: it must be a date",
  ],
  [
    "a journal since NaN",
    ({ journal }) => journal.list({ since: Number.NaN }),
    "ERR_OPTION_INVALID",
    '"since" is NaN',
  ],
  [
    "a journal since a text",
    ({ journal }) => journal.list({ since: anything("1") }),
    "ERR_OPTION_INVALID",
    '"since" is "1"',
  ],
])("refuses %s before a server is asked", async (_, ask, code, says) => {
  const { emulator, remote } = await served();
  const error: unknown = await ask(remote).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: "EmulatorError", code });
  expect(String(error)).toContain(says);
  expect(emulator.chats.list()).toHaveLength(1);
  expect(emulator.faults.list()).toEqual([]);
  expect(emulator.tables["users"]?.size).toBe(1);
});

test("leaves out what is undefined, as JSON does", async () => {
  const { emulator, remote } = await served();
  await remote.faults.add(anything({ status: 500, path: undefined }));
  expect(emulator.faults.list()).toEqual([{ id: "fault 1", status: 500 }]);
});
