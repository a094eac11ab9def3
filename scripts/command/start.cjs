/**
 * The command's start.js: it refuses a Node that is too old, and runs start-code.js. Node 22 and newer keep what they
 * compile of it in Node's own cache, so that later starts take less.
 */
"use strict";
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `error: Backlot cannot work with Node ${process.versions.node}: it needs Node 20.19 or newer. Install one from https://nodejs.org.`,
  );
  process.exit(1);
}
if (major >= 22) require("node:module").enableCompileCache?.();
module.exports = require("./start-code.js");
