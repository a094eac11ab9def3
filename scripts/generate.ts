/**
 * Makes what is made of the code and kept with it: `npm run generate` the schema of fixtures,
 * `npm run generate -- pictures` the pictures of the docs.
 */
import { runCommands } from "./run-commands.ts";

const [name] = process.argv.slice(2);
if (name === undefined) runCommands(["tsx scripts/write-schema.ts"]);
else if (name === "pictures") {
  runCommands(["npm run build"]);
  await import("./pictures.ts");
} else {
  console.error(`error: Nothing makes "${name}". Usage: npm run generate [-- pictures]`);
  process.exitCode = 2;
}
