import { nodes } from "../compat/nodes.ts";
import { firstSteps, type Outcome, today } from "./stages.ts";
import { suites } from "./suites.ts";
import { type Cells, tableOf } from "./table.ts";

interface Run {
  /** The version of its Node. */
  readonly node: string;
  readonly outcome: Outcome;
}

const passed = "✓";
const notRun = "–";

/** What the page says of stages that have all passed: no counts, which every commit changes. */
export function partOf(runs: readonly Run[]): string {
  const versions = [nodes.oldest, ...nodes.between, nodes.newest];
  return tableOf(versions, cellsOf(runs, versions));
}

function cellsOf(runs: readonly Run[], versions: readonly string[]): Cells {
  const tried = new Set(
    runs.flatMap(({ node, outcome }) =>
      [...outcome.counts.keys()].map((name) => `${node} ${name}`),
    ),
  );
  const ofToday = new Set(
    runs.flatMap(({ outcome }) =>
      [...outcome.counts.keys()].filter((name) => name.startsWith(today)),
    ),
  );
  const names = [...suites.map(({ name }) => name), firstSteps, ...ofToday];
  return new Map(
    names.map((name) => [
      name,
      new Map(versions.map((node) => [node, tried.has(`${node} ${name}`) ? passed : notRun])),
    ]),
  );
}
