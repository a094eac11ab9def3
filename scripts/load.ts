/**
 * Loads `backlot start` with much, and has things go wrong around it: `npm run load`, or some scenarios by name, such as
 * `npm run load -- streams sigterm`. It prints a table of figures, and fails when one of them breaks its promise.
 */
import { existsSync } from "node:fs";
import { readArguments } from "./arguments.ts";
import { builtCommand, sourceCommand } from "./load/backlot-process.ts";
import type { Scenario } from "./load/scenario.ts";
import { scenarios } from "./load/scenarios.ts";
import { runOnStage } from "./load/stage.ts";
import { broken, type Result, tableOf } from "./load/table.ts";

const usage = "Usage: npm run load [-- [scenario…] [--seed <n>] [--source]]";

const { values, positionals, refuse, wholeNumber } = readArguments(usage, {
  allowPositionals: true,
  options: {
    seed: { type: "string", default: "1" },
    source: { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  },
});
if (values.help) console.log(help());
else process.exitCode = (await load(chosen())) ? 0 : 1;

function help(): string {
  const width = Math.max(...scenarios.map(({ name }) => name.length));
  return [
    usage,
    "",
    "Scenarios, all of them where none is named:",
    ...scenarios.map(({ name, about }) => `  ${name.padEnd(width)}  ${about}`),
    "",
    "  --seed <n>  where chance begins. Default: 1",
    "  --source    runs the command from its source, not as it is built",
  ].join("\n");
}

function chosen(): readonly Scenario[] {
  if (positionals.length === 0) return scenarios;
  return positionals.map((name) => {
    const named = scenarios.find((scenario) => scenario.name === name);
    const names = scenarios.map((scenario) => scenario.name).join(", ");
    return named ?? refuse(`There is no scenario "${name}". There are ${names}.`);
  });
}

async function load(wanted: readonly Scenario[]): Promise<boolean> {
  const seed = wholeNumber("seed", values.seed);
  const [built = ""] = builtCommand;
  if (!values.source && !existsSync(built)) refuse("Build the command first: npm run build.");
  const runs = values.source ? sourceCommand : builtCommand;
  const results: Result[] = [];
  for (const scenario of wanted) {
    const tell = (what: string): void => console.error(`${scenario.name}: ${what}`);
    tell(scenario.about);
    const figures = await runOnStage(scenario, { seed, runs, tell });
    results.push({ scenario: scenario.name, figures });
  }
  console.log(tableOf(results));
  const problems = broken(results);
  for (const problem of problems) console.error(`error: ${problem}`);
  return problems.length === 0;
}
