// Stands in front of the worker's own code; `names` and the rest of what is not declared here come before it. A service
// worker can import scripts late only if it imported them when it was installed, and never by `import()`. So the parts
// of the script are functions, which come with the script and run when they are first needed.
const parts = (self.backlotParts = { __proto__: null });
const modules = { __proto__: null };

function importPart(file) {
  const url = new URL(`${folder}/${file}.js?v=${version}`, self.location);
  try {
    importScripts(url.href);
  } catch (cause) {
    const { pathname } = self.location;
    const remedy = optional.includes(file)
      ? `Name it when the worker is registered: startWorker({ parts: ["${file}"] }), or ${pathname}?with=${file}.`
      : "Copy the script anew: npx backlot init --worker <public folder>.";
    throw Object.assign(
      new Error(
        `Cannot load the worker's part "${file}": it was not installed with it. ${remedy}`,
        { cause },
      ),
      { name: "EmulatorError", code: "ERR_OPTION_INVALID", problems: [] },
    );
  }
}

// Called by what comes after it.
// oxlint-disable-next-line no-unused-vars
function require(path) {
  const name = path.slice(2);
  const known = modules[name];
  if (known !== undefined) return known.exports;
  if (parts[name] === undefined) importPart(fileOf[name]);
  const module = (modules[name] = { exports: {} });
  parts[name](require, module, module.exports);
  return module.exports;
}

self.addEventListener("install", (event) => {
  const asked = new URL(self.location).searchParams.get("with")?.split(",") ?? [];
  const files = [...always, ...optional.filter((file) => asked.includes(file))];
  // What throws here would leave a worker that lacks its parts.
  event.waitUntil(new Promise((resolve) => resolve(files.forEach(importPart))));
});
