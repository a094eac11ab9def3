// Loaded before the command: tells whoever started it how many bytes it holds once its garbage is collected.
import { memoryUsage } from "node:process";

process.on("message", () => {
  for (let time = 0; time < 2; time++) globalThis.gc();
  const { heapUsed, external } = memoryUsage();
  process.send({ heapUsed, external });
});
process.on("disconnect", () => process.exit());
// The command ends by itself, as it does without this.
process.channel.unref();
