import { cases, clientOf, tryCase } from "./left-answers.ts";

// Run by open-answers.test.ts: a program that does nothing else meanwhile.
const way = process.argv[2] === "msw" ? "msw" : "fetch";
using client = await clientOf(way);
const outcomes: unknown[] = [];
for (const one of cases) outcomes.push([one.name, await tryCase(one, client)]);
process.stdout.write(`${JSON.stringify(outcomes)}\n`);
