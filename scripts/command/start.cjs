/**
 * The command's start.js: it runs start-code.js from what V8 compiled of it before, which takes a fifth off a start
 * (`npm run bench -- start-up`). A server that runs for a second leaves the cache beside the code, for this version of
 * Node. Where nobody may write there, every start compiles anew.
 */
"use strict";
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `error: Backlot cannot work with Node ${process.versions.node}: it needs Node 20.19 or newer. Install one from https://nodejs.org.`,
  );
  process.exit(1);
}
const { readFileSync, renameSync, writeFileSync } = require("node:fs");
const path = require("node:path");
const { constants, Script } = require("node:vm");

/** Milliseconds after which a server has run what most starts run. */
const settledMs = 1000;

const filename = path.join(__dirname, "start-code.js");
// The build puts the code's hash here: V8 itself compares no more than lengths.
const cache = path.join(__dirname, `start-code-HASH-${process.version}-${process.arch}.cache`);

const parameters = "exports, require, module, __filename, __dirname";
const script = new Script(`(function (${parameters}) {${readFileSync(filename, "utf8")}\n})`, {
  filename,
  cachedData: readCache(),
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
});
script.runInThisContext()(exports, require, module, filename, __dirname);
if (script.cachedDataRejected !== false) setTimeout(writeCache, settledMs).unref();

function readCache() {
  try {
    return readFileSync(cache);
  } catch {
    return undefined;
  }
}

function writeCache() {
  const unfinished = `${cache}.${process.pid}`;
  try {
    writeFileSync(unfinished, script.createCachedData(), { flag: "wx" });
    renameSync(unfinished, cache);
  } catch {
    // The folder is read-only.
  }
}
