/**
 * Asks at random for as long as one likes: `npm run fuzz -- tables` the table engine and SQLite, `npm run fuzz -- world` a built
 * server that goes through everything at once, and `npm run fuzz -- [<kind>…]` what nobody should send.
 */
import { execFileSync } from "node:child_process";
import { makeConsole } from "./console/make-console.ts";

const [name] = process.argv.slice(2);
// What follows the name is for the script that it names.
if (name === "tables" || name === "world") process.argv.splice(2, 1);
if (name === "tables") await import("./fuzz-tables.ts");
else if (name === "world") {
  execFileSync("npm", ["run", "build"], { stdio: "inherit" });
  await import("./fuzz-world.ts");
} else {
  await makeConsole();
  await import("./fuzz-inputs.ts");
}
