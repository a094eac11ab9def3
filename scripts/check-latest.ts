/** Moves `test/today` to what is newest in the registry, tries it, and says what changed: `npm run check -- latest`. */
import { readArguments } from "./arguments.ts";
import { checkToday } from "./today/check.ts";
import { type Change, moveToLatest } from "./today/move-to-latest.ts";
import { newestEven, withNode } from "./today/node-to-try.ts";

const usage = "Usage: npm run check -- latest [--node <path>]";
const { node } = readArguments(usage, { options: { node: { type: "string" } } }).values;

function tell(changes: readonly Change[]): void {
  if (changes.length === 0) console.log("Nothing changed: test/today has what is newest.");
  for (const { name, from, to } of changes) console.log(`${name}  ${from} → ${to}`);
}

async function check(program: string): Promise<void> {
  const changes = moveToLatest(program);
  tell(changes);
  const passed = await checkToday({ node: program });
  // Again, where a reader of the run looks.
  tell(changes);
  console.log(
    passed
      ? "All of it works. Commit test/today/package.json and test/today/package-lock.json."
      : "Not all of it works: see above. The lockfile stays moved; `git checkout test/today` brings the old one back.",
  );
  process.exitCode = passed ? 0 : 1;
}

await withNode(node, check, newestEven);
