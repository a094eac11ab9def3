/**
 * Tries what users install today: `npm run check -- today [--node <path>] [--tarball <file>] [--report <file>]`. The
 * lockfile of `test/today` has it, which `npm run check -- latest` moves on.
 */
import { readArguments } from "./arguments.ts";
import { checkToday } from "./today/check.ts";
import { withNode } from "./today/node-to-try.ts";

const usage =
  "Usage: npm run check -- today [--node <path>] [--tarball <backlot.tgz>] [--report <file>]";
const { node, tarball, report } = readArguments(usage, {
  options: {
    /** The Node to try. Default: this one, or the newest of the gate if this is too old. */
    node: { type: "string" },
    /** The packed package. Default: it is packed now. */
    tarball: { type: "string" },
    /** Where the result goes as JSON. */
    report: { type: "string" },
  },
}).values;

await withNode(node, async (program) => {
  process.exitCode = (await checkToday({ node: program, tarball, report })) ? 0 : 1;
});
