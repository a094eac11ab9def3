/**
 * Makes `backlot-linux-x64`, one file that runs without Node and npm: `npm run build -- executable [<file>]`. It is this
 * machine's Node with the packed package in it, as Node's single executable applications are made. `--from <folder>`
 * takes the package that is installed in a folder, and builds nothing.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { inScratchFolder, makeProject, pack, root } from "./compat/scratch.ts";

if (process.platform !== "linux" || process.arch !== "x64") {
  throw new Error(
    `The executable is made on Linux x64, and this is ${process.platform} ${process.arch}.`,
  );
}
const { values, positionals } = parseArgs({
  options: { from: { type: "string" } },
  allowPositionals: true,
});
const made = resolve(positionals[0] ?? "backlot-linux-x64");

/** What Node looks for in its own file before it starts. */
const fuse = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

/** Types, maps and pages are for those who write code against the package; of vocabularies only two can be chosen. */
const leftOut = [
  /\.(?:d\.[cm]?ts|map|md)$/,
  /^node_modules\/(?:\.|backlot\/docs\/)/,
  /^node_modules\/gpt-tokenizer\/(?!package\.json$|esm\/)/,
  /^node_modules\/gpt-tokenizer\/esm\/bpeRanks\/(?!package\.json$|(?:cl100k|o200k)_base\.js$)/,
];

/** The files of an installed package that the command needs, by their paths. */
function filesOf(project: string): Readonly<Record<string, string>> {
  const names = readdirSync(project, { recursive: true, encoding: "utf8" }).toSorted();
  const files = names.filter(
    (name) => name.startsWith("node_modules/") && statSync(join(project, name)).isFile(),
  );
  const kept = files.filter(
    (name) => !leftOut.some((kind) => kind.test(name)) || name.includes("/fixtures/"),
  );
  return {
    "start.cjs": Buffer.from('import("./node_modules/backlot/dist/command/backlot.js");').toString(
      "base64",
    ),
    ...Object.fromEntries(
      kept.map((name) => [name, readFileSync(join(project, name)).toString("base64")]),
    ),
  };
}

await inScratchFolder("executable", (scratch) => {
  const project = values.from ?? join(scratch, "project");
  if (values.from === undefined) makeProject(project, [pack(scratch), "gpt-tokenizer@4"]);
  const packed = gzipSync(JSON.stringify(filesOf(project)), { level: 9 });
  const at = (name: string): string => join(scratch, name);
  writeFileSync(at("package.gz"), packed);
  writeFileSync(at("id"), createHash("sha256").update(packed).digest("hex").slice(0, 16));
  const config = {
    main: join(root, "scripts/executable/launcher.cjs"),
    output: at("blob"),
    disableExperimentalSEAWarning: true,
    assets: { package: at("package.gz"), id: at("id") },
  };
  writeFileSync(at("config.json"), JSON.stringify(config));
  execFileSync(process.execPath, ["--experimental-sea-config", at("config.json")]);
  copyFileSync(process.execPath, made);
  const postject = join(root, "node_modules/postject/dist/cli.js");
  const blob = ["NODE_SEA_BLOB", at("blob"), "--sentinel-fuse", fuse];
  execFileSync(process.execPath, [postject, made, ...blob], { stdio: "pipe" });
  const megabytes = Math.round(statSync(made).size / 1e6);
  const [first, later] = [timeStart(scratch), timeStart(scratch)];
  console.log(
    `Made ${made}: ${megabytes} MB. The first start took ${first} ms, the next ${later} ms.`,
  );
});

/** Milliseconds that a start takes until its version is said. The first one in a home unpacks the package. */
function timeStart(home: string): number {
  const started = performance.now();
  execFileSync(made, ["--version"], { env: { HOME: home, PATH: "" } });
  return Math.round(performance.now() - started);
}
