// Stands in front of the worker's own code; `names` and the rest of what is not declared here come before it. A service
// worker can import scripts late only if it imported them when it was installed, and never by `import()`. So the parts
// of the script are functions, which come with the script and run when they are first needed. Some are large and
// mostly not needed: those are fetched as texts, where the site's policy lets a text run.
const parts = (self.backlotParts = { __proto__: null });
const modules = { __proto__: null };

function importPart(file) {
  const url = new URL(`${folder}/${file}.js?v=${version}`, self.location);
  try {
    importScripts(url.href);
  } catch (cause) {
    throw cannotLoad(file, cause);
  }
}

function cannotLoad(file, cause) {
  const { pathname } = self.location;
  const remedy = optional.includes(file)
    ? `Name it when the worker is registered: startWorker({ parts: ["${file}"] }), or ${pathname}?with=${file}.`
    : "Copy the script anew: npx backlot init --worker <public folder>.";
  const message = `Cannot load the worker's part "${file}": it was not installed with it. ${remedy}`;
  const more = { name: "EmulatorError", code: "ERR_OPTION_INVALID", problems: [] };
  return Object.assign(new Error(message, { cause }), more);
}

// Called by what comes after it.
// oxlint-disable-next-line no-unused-vars
function require(path) {
  const name = path.slice(2);
  const known = modules[name];
  if (known !== undefined) return known.exports;
  if (parts[name] === undefined) importPart(fileOf[name]);
  const module = (modules[name] = { exports: {} });
  parts[name](require, module, module.exports, late);
  return module.exports;
}

// Given to each part, in place of `require` for a late import of a late file.
async function late(path) {
  const name = path.slice(2);
  if (parts[name] === undefined) await (fetching[fileOf[name]] ??= fetchLate(fileOf[name]));
  return require(path);
}

const fetching = { __proto__: null };

async function fetchLate(file) {
  try {
    const url = new URL(`${folder}/${file}.js?v=${hashes[file]}`, self.location).href;
    const kept = await keptText(url);
    const text = kept ?? (await fetchText(url));
    // A browser has no other way to run what the worker was not installed with.
    // oxlint-disable-next-line typescript/no-implied-eval
    new Function(text)();
    // Only what runs is kept. Some private windows keep nothing.
    if (kept === undefined) await keep(url, text).catch(() => undefined);
  } catch (cause) {
    fetching[file] = undefined;
    throw cannotLoad(file, cause);
  }
}

async function fetchText(url) {
  const response = await fetch(url);
  const text = await response.text();
  // A site that has been updated has parts of another version.
  if (response.ok && text.startsWith(`/* ${folder} ${version} */`)) return text;
  throw new Error(`${url} (status ${response.status}) is not of Backlot ${version}.`);
}

// Kept, so that it is there without a network, and after the browser has ended the worker.
async function keep(url, text) {
  const cache = await caches.open(folder);
  for (const old of await cache.keys()) if (!isCurrent(old)) await cache.delete(old);
  await cache.put(url, new Response(text));
}

async function keptText(url) {
  try {
    return await (await (await caches.open(folder)).match(url))?.text();
  } catch {
    return undefined;
  }
}

function isCurrent({ url }) {
  return Object.values(hashes).some((hash) => url.endsWith(hash));
}

function mayRunTexts() {
  try {
    // oxlint-disable-next-line typescript/no-implied-eval
    return new Function("return true")();
  } catch {
    return false;
  }
}

self.addEventListener("install", (event) => {
  const asked = new URL(self.location).searchParams.get("with")?.split(",") ?? [];
  const isAsked = (file) => asked.includes(file);
  const lateFiles = Object.keys(hashes);
  const files = [
    ...always,
    ...(mayRunTexts() ? lateFiles.filter(isAsked) : lateFiles),
    ...optional.filter(isAsked),
  ];
  // What throws here would leave a worker that lacks its parts.
  event.waitUntil(new Promise((resolve) => resolve(files.forEach(importPart))));
});
