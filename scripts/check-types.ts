/**
 * Type-checks a user's programs, which have the packed package, under each TypeScript, as Node and as bundlers find
 * modules: `npm run check -- types`. Libraries are checked too: an error in the package's own types is found.
 */
import { join } from "node:path";
import { inScratchFolder, makeProject, pack } from "./compat/scratch.ts";
import { typeErrors, withoutPeers, withPeers, writeUser } from "../test/support/type-errors.ts";

const versions = ["5.4.5", "5.5.4", "5.6.3", "5.7.3", "5.8.3", "5.9.3", "6.0.3", "7.0.2"];
const nodeTypes = "@types/node@20.19.43";
const peers = ["msw@2.15.0", "vite@8.3.8", "vitest@4.1.12"];

await inScratchFolder("types", (scratch) => {
  const tarball = pack(scratch);
  const compilers = versions.map((version) => `typescript-${version}@npm:typescript@${version}`);
  const check = (name: string, packages: readonly string[], files: readonly string[]): void => {
    const project = join(scratch, name);
    makeProject(project, [tarball, ...packages, ...compilers]);
    writeUser(project, files);
    for (const version of versions) checkUnder(version, project, name);
  };
  check("with-peers", [...peers, nodeTypes], withPeers);
  check("without-peers", [nodeTypes], withoutPeers);
});

function checkUnder(version: string, project: string, name: string): void {
  const typescript = join(project, "node_modules", `typescript-${version}`);
  for (const resolution of ["nodenext", "bundler"] as const) {
    const errors = typeErrors(typescript, project, { resolution });
    const verdict = errors.length === 0 ? "passes" : `${errors.length} errors`;
    console.log(`${name}  TypeScript ${version}  ${resolution.padEnd(8)}  ${verdict}`);
    for (const error of errors) console.error(error);
    if (errors.length > 0) process.exitCode = 1;
  }
}
