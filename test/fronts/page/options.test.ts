import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { browser } from "../../support/browser/browser.ts";
import { startMsw } from "../../support/browser/msw-page.ts";
import { openOwnPage, startOwn } from "../../support/browser/own-page.ts";
import { RemotePage } from "../../support/browser/remote-page.ts";

/** For all tests, since what is refused starts nothing. */
let ownPage: Page;
let mswPage: Page;

beforeAll(async () => {
  const context = await (await browser()).newContext();
  ownPage = await openOwnPage(context);
  mswPage = (await RemotePage.open(context)).page;
});

afterAll(() => ownPage.context().close());

const wrongForOwn: readonly (readonly [options: object, says: string])[] = [
  [{ scop: "/" }, '"scop": there is no such option. Did you mean "scope"?'],
  [{ tables: {} }, '"tables": there is no such option. Tables are part of the fixtures'],
  [{ fixturs: {} }, "Use: fixtures, persist, script, scope, parts"],
  [{ persist: "ever" }, 'persist: Expected "memory", "tab" or "origin", but found "ever".'],
  [
    { parts: ["fakr"] },
    'parts: Expected "templates", "faker", "control" or "more", but found "fakr". Did you mean "faker"?',
  ],
  [{ parts: "faker" }, 'parts: it must be an array, but is "faker".'],
  [{ script: 7 }, "script: it must be an address"],
  [{ scope: ["/"] }, "scope: it must be an address"],
];

test.each(wrongForOwn)("our own worker refuses the options %o", async (options, says) => {
  const said = await startOwn(ownPage, options);
  expect(said).toContain("ERR_OPTION_INVALID: Cannot use the option ");
  expect(said).toContain(says);
});

const wrongForMsw: readonly (readonly [options: object, says: string])[] = [
  [{ onUnhandledrequest: "warn" }, 'option. Did you mean "onUnhandledRequest"?'],
  [{ persist: "tab" }, '"persist": there is no such option. It belongs to backlot/worker'],
  [{ onUnhandledRequest: "errors" }, 'but found "errors". Did you mean "error"?'],
  [{ onUnhandledFrame: 7 }, 'onUnhandledFrame: Expected "bypass", "warn" or "error"'],
  [{ quiet: "no" }, 'quiet: it must be true or false, but is "no".'],
  [{ serviceWorker: { uri: "/x" } }, 'serviceWorker: Unknown key "uri". Did you mean "url"?'],
  [{ serviceWorker: "/x" }, 'serviceWorker: it must be an object, but is "/x".'],
  [{ serviceWorker: { options: { scop: "/" } } }, 'serviceWorker: Unknown key "scop".'],
];

test.each(wrongForMsw)("the worker of msw refuses the options %o", async (options, says) => {
  const said = await startMsw(mswPage, options);
  expect(said).toContain("ERR_OPTION_INVALID: Cannot use the option ");
  expect(said).toContain(says);
});
