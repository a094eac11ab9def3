import { expect, test } from "vitest";
import { browserContext } from "../../support/browser/browser.ts";
import { openOwnPage, startOwn } from "../../support/browser/own-page.ts";
import { RemotePage } from "../../support/browser/remote-page.ts";

const wrongForOwn: readonly (readonly [options: object, says: string])[] = [
  [{ scop: "/" }, '"scop": there is no such option. Did you mean "scope"?'],
  [{ tables: {} }, '"tables": there is no such option. Tables are part of the fixtures'],
  [{ fixturs: {} }, "Use: fixtures, persist, script, scope, parts"],
  [{ parts: ["fakr"] }, 'parts: there is no part "fakr". Did you mean "faker"?'],
  [{ parts: "faker" }, 'parts: its value is "faker". Give an array of: templates, faker.'],
  [{ script: 7 }, "script: its value is 7. Give an address"],
  [{ scope: ["/"] }, 'scope: its value is ["/"]. Give an address'],
];

test.each(wrongForOwn)("our own worker refuses the options %o", async (options, says) => {
  const page = await openOwnPage();
  const said = await startOwn(page, options);
  expect(said).toContain("ERR_OPTION_INVALID: Cannot use the option ");
  expect(said).toContain(says);
});

const wrongForMsw: readonly (readonly [options: object, says: string])[] = [
  [{ onUnhandledrequest: "warn" }, 'option. Did you mean "onUnhandledRequest"?'],
  [{ persist: "tab" }, '"persist": there is no such option. It is one of backlot/worker'],
  [{ onUnhandledRequest: "errors" }, 'its value is "errors". Did you mean "error"?'],
  [{ onUnhandledFrame: 7 }, "onUnhandledFrame: its value is 7. Use one of: bypass, warn, error"],
  [{ quiet: "no" }, 'quiet: its value is "no". Give true or false.'],
  [{ serviceWorker: { uri: "/x" } }, 'it has no "uri". Did you mean "url"?'],
  [{ serviceWorker: "/x" }, 'serviceWorker: its value is "/x". Give an object.'],
  [{ serviceWorker: { options: { scop: "/" } } }, 'serviceWorker.options: it has no "scop".'],
];

test.each(wrongForMsw)("the worker of msw refuses the options %o", async (options, says) => {
  const { page } = await RemotePage.open(await browserContext());
  const said = await startOwn(page, { script: undefined, ...options });
  expect(said).toContain("ERR_OPTION_INVALID: Cannot use the option ");
  expect(said).toContain(says);
});
