import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ask } from "./ask.ts";
import type { BacklotProcess } from "./backlot-process.ts";
import { runCommand } from "./run-command.ts";
import type { Figure, Scenario, Stage } from "./scenario.ts";
import { type SmallDisk, smallDisk } from "./small-disk.ts";

const older = "what was there before\n";

/** A way in which nothing can be written. */
interface Trouble {
  readonly name: string;
  /** In the message. */
  readonly reason: string;
  readonly begin: (disk: SmallDisk) => void;
  readonly end: (disk: SmallDisk) => void;
}

const troubles: readonly Trouble[] = [
  {
    name: "full disk",
    reason: "the disk is full",
    begin: ({ fill }) => fill(),
    end: ({ free }) => free(),
  },
  {
    name: "read-only disk",
    reason: "nothing can be written there",
    begin: ({ forbidWrites }) => forbidWrites(),
    end: ({ allowWrites }) => allowWrites(),
  },
];

function fixtures(): object {
  const rows = Array.from({ length: 2_000 }, (_, id) => ({ id, text: "a row of some length" }));
  return { tables: { notes: { columns: { id: "INTEGER", text: "TEXT" }, rows } } };
}

/** What each case works with. */
interface Scene {
  readonly stage: Stage;
  readonly disk: SmallDisk;
  readonly trouble: Trouble;
  /** Where the fixtures are, which is another disk. */
  readonly cwd: string;
  /** The older file, on the disk. */
  readonly file: string;
}

/** Disks that are full or read-only while something is to be written. */
export const noSpace: Scenario = {
  name: "disk",
  about: "export, record and generate onto a full disk and into a read-only one",
  run: async (stage) => {
    const figures: Figure[] = [];
    for (const trouble of troubles) {
      const small = await smallDisk(stage);
      if (small === undefined) {
        stage.tell("left out: to mount a small disk takes root, on Linux");
        return [{ what: "a disk of its own", figure: "not measured: none can be mounted here" }];
      }
      const cwd = await stage.folder();
      await writeFile(join(cwd, "db.json"), JSON.stringify(fixtures()));
      const file = join(small.path, "older.json");
      writeFileSync(file, older);
      const scene = { stage, disk: small, trouble, cwd, file };
      for (const one of [exportOnExit, exportNow, generate, generateIntoFixtures]) {
        figures.push(await one(scene));
        stage.tell(`${figures.at(-1)?.what}: ${figures.at(-1)?.figure}`);
      }
      figures.push(await recordOn("cassettes", scene), await recordOn("scripts", scene));
    }
    return figures;
  },
};

/** What went wrong, in a few words: empty where nothing did. */
type Complaints = string[];

function figureOf(what: string, { trouble }: Scene, complaints: Complaints): Figure {
  return {
    what: `${trouble.name}: ${what}`,
    figure: complaints.join("; ") || "as promised",
    promise: {
      text: "reason, exit code 1, older file whole; works again later",
      isKept: complaints.length === 0,
    },
  };
}

interface Ended {
  readonly code: number | string;
  readonly err: string;
}

/** A command that could not write has to say so, and to leave everything as it was. */
function complainOf({ code, err }: Ended, { trouble, file, disk }: Scene): Complaints {
  return [
    ...(code === 1 ? [] : [`it ended with ${code}`]),
    ...(err.includes(`Cannot write "`) && err.includes(trouble.reason) && !err.includes("    at ")
      ? []
      : [`it said ${JSON.stringify(err.slice(0, 300))}`]),
    ...(readFileSync(file, "utf8") === older ? [] : ["the older file has changed"]),
    ...filesLeft(disk),
  ];
}

function filesLeft({ path }: SmallDisk): Complaints {
  return readdirSync(path)
    .filter((name) => name.endsWith(".tmp"))
    .map((name) => `${name} was left`);
}

async function exportOnExit(scene: Scene): Promise<Figure> {
  const { stage, cwd, file, trouble } = scene;
  const args = ["db.json", "--export-on-exit", file];
  const server = await stage.start({ cwd, args });
  trouble.begin(scene.disk);
  const answers = await complainOfAnswers(server);
  const { code } = await server.end("SIGTERM");
  const complaints = [...answers, ...complainOf({ code, err: server.err }, scene)];
  trouble.end(scene.disk);
  const again = await stage.start({ cwd, args });
  const later = await again.end("SIGTERM");
  if (later.code !== 0) complaints.push(`later it ended with ${later.code}`);
  if (readFileSync(file, "utf8") === older) complaints.push("later nothing was written");
  writeFileSync(file, older);
  return figureOf("--export-on-exit", scene, complaints);
}

/** `backlot export` of a server, which goes on. */
async function exportNow(scene: Scene): Promise<Figure> {
  const { stage, cwd, trouble, file } = scene;
  const server = await stage.start({ cwd, args: ["db.json"] });
  const args = ["export", "--out", file, "--url", server.url];
  trouble.begin(scene.disk);
  const complaints = complainOf(await runCommand({ runs: stage.runs, args, cwd }), scene);
  complaints.push(...(await complainOfAnswers(server)));
  trouble.end(scene.disk);
  const later = await runCommand({ runs: stage.runs, args, cwd });
  if (later.code !== 0) complaints.push(`later it ended with ${later.code}: ${later.err}`);
  writeFileSync(file, older);
  await server.end("SIGTERM");
  return figureOf("backlot export", scene, complaints);
}

async function generate(scene: Scene): Promise<Figure> {
  const { stage, cwd, file, trouble } = scene;
  const args = ["generate", "notes", "db.json", "--rows", "5000", "--out", file, "--force"];
  trouble.begin(scene.disk);
  const complaints = complainOf(await runCommand({ runs: stage.runs, args, cwd }), scene);
  trouble.end(scene.disk);
  const later = await runCommand({ runs: stage.runs, args, cwd });
  if (later.code !== 0) complaints.push(`later it ended with ${later.code}: ${later.err}`);
  writeFileSync(file, older);
  return figureOf("backlot generate --out", scene, complaints);
}

/** Into the fixtures, which are on the disk here. */
async function generateIntoFixtures(scene: Scene): Promise<Figure> {
  const { stage, trouble } = scene;
  const { path: cwd } = scene.disk;
  const document = JSON.stringify({ tables: { notes: { columns: { id: "INTEGER" }, rows: [] } } });
  writeFileSync(join(cwd, "db.json"), document);
  const args = ["generate", "notes", "db.json", "--rows", "5000"];
  trouble.begin(scene.disk);
  const complaints = complainOf(await runCommand({ runs: stage.runs, args, cwd }), scene);
  if (readFileSync(join(cwd, "db.json"), "utf8") !== document) complaints.push("db.json changed");
  trouble.end(scene.disk);
  const later = await runCommand({ runs: stage.runs, args, cwd });
  if (later.code !== 0) complaints.push(`later it ended with ${later.code}: ${later.err}`);
  return figureOf("backlot generate", scene, complaints);
}

/** Answers must pass while they cannot be written, and be written where that is possible at the end. */
async function recordOn(as: "cassettes" | "scripts", scene: Scene): Promise<Figure> {
  const { stage, cwd, disk: small, trouble } = scene;
  const complaints: Complaints = [];
  const service = await stage.start({ cwd, args: ["db.json", "--no-auth"] });
  for (const isFreedInTime of [true, false]) {
    const out = join(small.path, `recorded-${as}-${isFreedInTime}`);
    const args = [
      "--rest-upstream",
      `${service.url}/rest`,
      "--out",
      out,
      "--as",
      as,
      "--mode",
      "all",
    ];
    const recorder = await stage.start({ command: "record", cwd, args });
    complaints.push(...(await complainOfAnswers(recorder)));
    trouble.begin(small);
    complaints.push(...(await complainOfAnswers(recorder)));
    if (isFreedInTime) trouble.end(small);
    const { code } = await recorder.end("SIGTERM");
    const expected = isFreedInTime ? 0 : 1;
    if (code !== expected) complaints.push(`it ended with ${code}, not ${expected}`);
    const said = recorder.out + recorder.err;
    if (!isFreedInTime && !said.includes(trouble.reason)) complaints.push("no reason was told");
    if (said.includes("    at ")) complaints.push(`it said ${recorder.err.slice(0, 300)}`);
    trouble.end(small);
    complaints.push(...filesLeft(small));
  }
  await service.end("SIGTERM");
  return figureOf(`backlot record --as ${as}`, scene, complaints);
}

async function complainOfAnswers({ url }: BacklotProcess): Promise<Complaints> {
  try {
    const { status } = await ask({ url: `${url}/rest/notes?limit=3` });
    return status === 200 ? [] : [`the server answered ${status}`];
  } catch (error) {
    return [`the server did not answer: ${String(error)}`];
  }
}
