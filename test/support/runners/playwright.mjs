// What examples for Playwright get in place of `@playwright/test`: `extend` has the same fixtures, and `request` is
// a little of Playwright's.
import { test as vitestTest } from "vitest";

export { expect } from "vitest";

export const test = vitestTest.extend({
  // oxlint-disable-next-line no-empty-pattern
  extraHTTPHeaders: async ({}, use) => use({}),
  request: async ({ extraHTTPHeaders: headers }, use) => {
    await use({
      get: async (url) => {
        const { status } = await fetch(url, { headers });
        return { status: () => status };
      },
    });
  },
});
