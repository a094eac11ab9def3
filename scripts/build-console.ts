// Packs the console (src/extras/console) into one page and writes it to src/extras/console/console-page.ts, which is kept in the
// repository: `npm start` and tests run from source, in runtimes that cannot build it. With --check it writes nothing
// and fails when the file is another one.
import { readFileSync, writeFileSync } from "node:fs";
import { consolePageFile, packConsole } from "./console/pack-console.ts";

// Vite packs for what this says.
process.env["NODE_ENV"] = "production";
const text = await packConsole();
if (!process.argv.includes("--check")) {
  writeFileSync(consolePageFile, text);
  console.log(`${consolePageFile}: ${text.length} characters`);
} else if (readFileSync(consolePageFile, "utf8") !== text) {
  console.error(`${consolePageFile} is not what src/extras/console makes. Run: npm run generate`);
  process.exitCode = 1;
}
