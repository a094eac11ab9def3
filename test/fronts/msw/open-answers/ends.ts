import { clientOf } from "./left-answers.ts";

// Run by open-answers.test.ts: nobody cares any more for these answers, so the program ends.
for (const way of ["fetch", "msw"] as const) {
  using client = await clientOf(way);
  const { chat, emulator } = client;

  const forgotten = async (user: string, stream: boolean): Promise<void> => {
    await (await chat(user, { stream })).text();
  };
  void forgotten("hang", false).catch(() => undefined);
  void forgotten("stall", true).catch(() => undefined);
  void chat("stall", { stream: true });
  while (emulator.journal.list().length < 3) await new Promise((resolve) => setImmediate(resolve));
  emulator.reset();

  const cancelled = await chat("stall", { stream: true });
  await cancelled.body?.cancel();
  const broken = await chat("waits", { stream: true });
  for await (const _ of broken.body ?? []) break;
  await (await chat("whole", { stream: true })).text();
  const unread = await chat("whole", { stream: true });
  process.stdout.write(`${way} ${unread.status}\n`);
}
process.stdout.write("over\n");
