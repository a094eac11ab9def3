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
      [...outcome.counts.keys()].map((name) => `${node} ${name.startsWith(today) ? today : name}`),
    ),
  );
  const names = [...suites.map(({ name }) => name), firstSteps, today];
  return groupedByCells(
    names.map((name) => [
      name,
      new Map(versions.map((node) => [node, tried.has(`${node} ${name}`) ? passed : notRun])),
    ]),
  );
}

type Row = readonly [name: string, byNode: ReadonlyMap<string, string>];

/** Suites that were tried under the same Nodes share a row. */
function groupedByCells(rows: readonly Row[]): Cells {
  const groups = new Map<string, Row>();
  for (const [name, byNode] of rows) {
    const cells = [...byNode.values()].join(" ");
    const names = groups.get(cells)?.[0];
    groups.set(cells, [names === undefined ? name : `${names}; ${name}`, byNode]);
  }
  return new Map(groups.values());
}
