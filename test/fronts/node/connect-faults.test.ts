import { expect, test } from "vitest";
import { served } from "./served-remote.ts";

test("plans, lists and removes faults of a session, and of no other", async () => {
  const { emulator, remote } = await served();
  const { faults, fetch } = remote.session("a/b");
  const planned = await faults.add({ table: "users", status: 503, times: 2 });
  expect(planned).toEqual({ id: "fault 1", table: "users", status: 503, times: 2, left: 2 });
  expect((await fetch("/rest/users")).status).toBe(503);
  expect((await remote.fetch("/rest/users")).status).toBe(200);
  expect(await faults.list()).toEqual([{ ...planned, left: 1 }]);
  expect(emulator.session("a/b").faults.list()).toEqual(await faults.list());
  await faults.remove("fault 1");
  expect(await faults.list()).toEqual([]);
});

test("takes all faults out", async () => {
  const { remote } = await served();
  await remote.faults.add({ fault: "hang" });
  await remote.faults.add({ delayMs: { min: 1, max: 2 } });
  await remote.faults.clear();
  expect(await remote.faults.list()).toEqual([]);
});

test("says everything that is wrong with a fault, as in the same process", async () => {
  const { emulator, remote } = await served();
  const rule = { table: "user", delay: 50 };
  const adding = remote.faults.add(rule);
  const message = expect.stringMatching(/^Cannot plan the fault: the server answers: /);
  await expect(adding).rejects.toMatchObject({ code: "ERR_FAULT_REFUSED", message });
  let problems: unknown;
  try {
    emulator.faults.add(rule);
  } catch (error) {
    ({ problems } = Object(error));
  }
  expect(problems).toHaveLength(2);
  await expect(adding).rejects.toMatchObject({ problems });
});

test("says that there is no such fault to remove", async () => {
  const { remote } = await served();
  await remote.faults.add({ fault: "hang" });
  await expect(remote.faults.remove("falt 1")).rejects.toMatchObject({
    code: "ERR_FAULT_REFUSED",
    message: expect.stringContaining('Did you mean "fault 1"?'),
  });
});
