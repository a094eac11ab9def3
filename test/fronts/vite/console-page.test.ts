import { expect, test } from "vitest";
import { viteSite } from "../../support/vite-site.ts";

test("says that mode msw has no console, in place of the app", async () => {
  const { fetch } = await viteSite({ mode: "msw" }, { config: { base: "/app/" } });
  for (const path of ["/__backlot/", "/app/__backlot/"]) {
    const response = await fetch(path);
    expect(response.status).toBe(404);
    expect(await response.text()).toContain("In mode msw there is no console");
  }
});

test("leads to the console below a base in mode worker, where the worker answers", async () => {
  const { fetch } = await viteSite({ mode: "worker" }, { config: { base: "/app/" } });
  const { status, headers } = await fetch("/@one/__backlot/", { redirect: "manual" });
  expect([status, headers.get("location")]).toEqual([302, "/app/@one/__backlot/"]);
  const page = await (await fetch("/app/@one/__backlot/")).text();
  expect(page).toContain("Starting the service worker");
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
