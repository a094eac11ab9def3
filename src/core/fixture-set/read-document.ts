import { showValue } from "../errors/show.ts";
import type { Assembled } from "./assemble.ts";
import { columnKind } from "../store/column-kinds.ts";
import type { Database } from "../store/database.ts";
import { type StorageRules, strictStorage } from "../store/storage-rules.ts";
import { rowIdName } from "../store/table-layout.ts";
import type { FixtureSet, FixtureTable } from "./fixture-set.ts";
import type { FixtureSettings } from "./settings.ts";
import { isObject } from "../schema/json.ts";
import { Findings } from "../schema/findings.ts";
import type { OnProgress } from "./tables/generate-rows.ts";
import { checkPlayed, readCassettes, readRecordingRules } from "./cassettes.ts";
import { readModels } from "./models.ts";
import { readSettings, refuseUnknownKeys } from "./read-settings.ts";
import type { StateInput } from "./format/state-format.ts";
import { checkFaults, checkMatches, fixtureState, readState, withState } from "./read-state.ts";
import { type ReadScript, readScripts } from "./scripts/read-scripts.ts";
import { linkTables, planTables, soundTables, type TablePlan } from "./tables/plan-tables.ts";
import { type FillOptions, fillTables } from "./tables/fill-tables.ts";
import { planTableFiles, type TableFileReader } from "./tables/table-files.ts";

/** Generated rows are the same in each run, also where nobody chose a seed or a time. */
export const defaultSeed = 1;
export const defaultNow: number = Date.UTC(2024, 0, 1);

/** The storage rules that go with the tables' profile, where the fixtures name one. */
export type StorageFor = (profile: FixtureSettings["restProfile"]) => StorageRules;

interface DocumentOptions {
  readonly seed?: number;
  readonly checkTemplates?: boolean;
  readonly onProgress?: OnProgress;
  readonly skipUnsupported?: boolean;
  readonly readTableFiles?: TableFileReader;
  readonly storageFor?: StorageFor;
  readonly otherTables?: readonly string[];
}

/** Reads a document whose files are assembled. Undefined when there is nothing to read; findings are reported. */
export async function readDocument(
  assembled: Assembled,
  findings: Findings,
  options: DocumentOptions,
): Promise<FixtureSet | undefined> {
  const document = await fixturesOf(assembled, findings);
  if (document === undefined) return undefined;
  refuseUnknownKeys(document, findings);
  const settings = readSettings(document, findings);
  const models = readModels(document["models"], findings);
  const scripts = readScripts(document["chats"], assembled.scriptNames, findings);
  const cassettes = readCassettes(document["cassettes"], assembled.cassetteNames, findings);
  const state = readState(document["state"], findings);
  if (!assembled.isPartial && findings.none) {
    checkMatches(
      state,
      scripts.map(({ script }) => script.name),
      findings,
    );
    checkPlayed(state, cassettes, findings);
  }
  const storage = options.storageFor?.(settings.restProfile) ?? strictStorage;
  const { database, tables, warnings } = await readTables(assembled, document["tables"], {
    findings,
    seed: options.seed ?? settings.seed ?? defaultSeed,
    now: settings.clock ?? defaultNow,
    onProgress: options.onProgress,
    skipUnsupported: options.skipUnsupported,
    readTableFiles: options.readTableFiles,
    storage,
    state,
  });
  const others = assembled.isPartial ? undefined : options.otherTables;
  // Most tables of the document are in the database, and collections may stand in place of some.
  const names = new Set([...database.names(), ...namesIn(document["tables"])]);
  const allTables = others && [...new Set([...names, ...others])];
  if (allTables !== undefined) checkFaults(state, allTables, findings);
  const speaking = scripts.map(({ script }) => script);
  if (options.checkTemplates !== false) {
    const known = { tables: [...names], allTables, origins: assembled.origins, speaking };
    await checkScriptTemplates(scripts, findings, known);
  }
  return {
    kind: "fixture-set",
    settings,
    models,
    tables,
    storage,
    database,
    scripts: speaking,
    cassettes,
    recording: readRecordingRules(document["recording"], findings),
    state: fixtureState(state),
    warnings,
  };
}

/** Looks at the templates of scripts, which may name all the tables. Undefined: an emulator tells which those are. */
async function checkScriptTemplates(
  read: readonly ReadScript[],
  findings: Findings,
  {
    tables,
    allTables,
    origins,
    speaking,
  }: {
    readonly tables: readonly string[];
    readonly allTables: readonly string[] | undefined;
    readonly origins: Assembled["origins"];
    readonly speaking: FixtureSet["scripts"];
  },
): Promise<void> {
  const templates = read.flatMap((script) => script.templates);
  if (templates.length === 0) return;
  const { checkTemplates, withTables } = await import("./check-templates.ts");
  if (allTables !== undefined) {
    await checkTemplates(withTables(templates, allTables), findings);
    return;
  }
  await checkTemplates(templates, findings);
  if (!findings.none) return;
  const { rememberDoubtful } = await import("./check-templates.ts");
  await rememberDoubtful(speaking, { templates, tables, origins });
}

function namesIn(tables: unknown): readonly string[] {
  return isObject(tables) ? Object.keys(tables) : [];
}

/** The document as one of fixtures, also where it is nothing but tables. */
export async function fixturesOf(
  { document, origins, isFolder }: Assembled,
  findings: Findings,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  if (document === undefined) return undefined;
  if (!isFolder) {
    const { isTablesDocument, tablesToFixtures } = await import("./tables-document.ts");
    if (isTablesDocument(document)) return tablesToFixtures(document, origins);
  }
  if (isObject(document)) return document;
  const example = `{ "tables": { "users": [{ "id": 1 }] } }`;
  findings.report([], `Expected an object such as ${example}, but found ${showValue(document)}.`);
  return undefined;
}

interface ReadTables extends Pick<FixtureSet, "database" | "tables" | "warnings"> {}

async function readTables(
  assembled: Assembled,
  value: unknown,
  {
    findings,
    state,
    ...options
  }: FillOptions & {
    readonly findings: Findings;
    readonly state: StateInput;
    readonly skipUnsupported: boolean | undefined;
    readonly readTableFiles: TableFileReader | undefined;
  },
): Promise<ReadTables> {
  const written = planTables(value, findings);
  const found = await planTableFiles(assembled, findings, {
    ...options,
    read: options.readTableFiles,
    others: written,
  });
  const plans = [...written, ...found.plans];
  const given = isObject(value) ? value : {};
  const names = new Set(plans.map(({ schema }) => schema.name));
  const isPartial = assembled.isPartial || found.isPartial;
  // A reference to a table that could not be read is not wrong for that.
  const isBroken = (name: string): boolean =>
    !names.has(name) && (isPartial || Object.hasOwn(given, name));
  const linked = linkTables(
    withState(plans, state, { findings, isBroken, storage: options.storage }),
    findings,
    isBroken,
  );
  const odd = new Findings();
  await tellDoubtfulTypes(written, odd, state);
  const sound = soundTables(linked, findings);
  const database = await fillTables(sound, findings, options);
  return {
    database,
    tables: linked.flatMap((plan) => fixtureTable(plan, database) ?? []),
    warnings: [...found.warnings, ...(await assembled.origins.locateAll(odd))],
  };
}

/** What a database has stored is as it was declared there. */
async function tellDoubtfulTypes(
  written: readonly TablePlan[],
  odd: Findings,
  { asStored = [], rowIds = {} }: StateInput,
): Promise<void> {
  const doubtful = written.filter(
    ({ schema: { name, columns } }) =>
      columns.some(({ type }) => columnKind(type) === "NUMERIC" && type !== "NUMERIC") &&
      !asStored.includes(name) &&
      !Object.hasOwn(rowIds, name),
  );
  if (doubtful.length === 0) return;
  const types = await import("./tables/doubtful-types.ts");
  types.tellDoubtfulTypes(doubtful, odd);
}

/** A table as it was loaded, with what a dump says of it besides. */
function fixtureTable(plan: TablePlan, database: Database): FixtureTable | undefined {
  const table = database.table(plan.schema.name);
  if (table === undefined) return undefined;
  const { schema } = table;
  const { asStored, lastGeneratedKey } = plan;
  if (asStored === undefined) return { schema, rows: table.rows(), lastGeneratedKey };
  // Row ids that are no column are in the rows as they were read only.
  const hasRowIds =
    schema.columns.every(({ name }) => name !== rowIdName) &&
    plan.rows.some((row) => Object.hasOwn(row, rowIdName));
  return { schema, rows: hasRowIds ? plan.rows : table.rows(), asStored, lastGeneratedKey };
}
