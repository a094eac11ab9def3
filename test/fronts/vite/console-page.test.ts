import { expect, test } from "vitest";
import { viteSite } from "../../support/vite-site.ts";

test("says that mode msw has no console, in place of the app", async () => {
  const { fetch } = await viteSite({ mode: "msw" });
  const response = await fetch("/__backlot/");
  expect(response.status).toBe(404);
  expect(await response.text()).toContain("In mode msw there is no console");
});

test("says that mode worker has no console below another base", async () => {
  const { fetch } = await viteSite({ mode: "worker" }, { config: { base: "/app/" } });
  const response = await fetch("/__backlot/");
  expect(response.status).toBe(404);
  expect(await response.text()).toContain('it is "/app/"');
});

test("starts the worker at each address of the console, and leaves the app's own pages alone", async () => {
  const { fetch } = await viteSite({ mode: "worker" });
  for (const path of ["/__backlot/", "/__backlot", "/@test-7/__backlot/"]) {
    const page = await (await fetch(path)).text();
    expect(page, path).toContain("Starting the service worker");
    expect(page, path).toContain("/@vite/client");
  }
  expect(await (await fetch("/")).text()).toContain("<title>Site</title>");
});
