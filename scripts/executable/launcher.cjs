// What the executable runs: it unpacks the package once into the user's cache, and starts the command from there.
"use strict";
const {
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} = require("node:fs");
const { createRequire } = require("node:module");
const { homedir, tmpdir } = require("node:os");
const path = require("node:path");
const { getAsset } = require("node:sea");
const { gunzipSync } = require("node:zlib");

/** Writes all files of the package into a folder. */
function unpack(folder) {
  const files = JSON.parse(gunzipSync(Buffer.from(getAsset("package"))).toString());
  for (const [name, base64] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, Buffer.from(base64, "base64"));
  }
}

/** A new folder where the cache is, or where there is no home to write to, as in some containers, a temporary one. */
function newFolder(cache) {
  try {
    mkdirSync(cache, { recursive: true, mode: 0o700 });
    return mkdtempSync(path.join(cache, "new-"));
  } catch {
    return mkdtempSync(path.join(tmpdir(), "backlot-"));
  }
}

/** The folder of the unpacked package. Its name changes with the content. */
function unpacked() {
  const cache = path.join(process.env.XDG_CACHE_HOME || path.join(homedir(), ".cache"), "backlot");
  const folder = path.join(cache, getAsset("id", "utf8"));
  if (existsSync(folder)) return folder;
  const fresh = newFolder(cache);
  unpack(fresh);
  try {
    renameSync(fresh, folder);
    return folder;
  } catch {
    // It is not in the cache, or another start was faster.
    process.on("exit", () => rmSync(fresh, { recursive: true, force: true }));
    return fresh;
  }
}

createRequire(path.join(unpacked(), "start.cjs"))("./start.cjs");
