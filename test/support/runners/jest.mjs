// What examples for Jest get in place of `@jest/globals`: both have these.
export { expect, test } from "vitest";
