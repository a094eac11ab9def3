import { expect, test } from "vitest";
import { type KnownKeys, tokenAdvice } from "../../../src/core/tables/token-advice.ts";

const standard: KnownKeys = { tokens: ["local-token"], chatKeys: [] };
const own: KnownKeys = { tokens: ["a-secret-of-mine"], chatKeys: ["key-of-the-chat"] };

function advice(authorization: string | undefined, keys = standard): string {
  return tokenAdvice(authorization === undefined ? {} : { authorization }, keys);
}

test("names the default token, the option that sets another, and the one for none", () => {
  expect(advice(undefined)).toBe(
    'The request has no Authorization header. Send "Authorization: Bearer local-token" or set another token with ' +
      "--token, or start with --no-auth (in code: token and auth: false).",
  );
});

test("does not tell a token that somebody has chosen", () => {
  const said = advice(undefined, own);
  expect(said).not.toContain("a-secret-of-mine");
  expect(said).toContain('"Authorization: Bearer YOUR_TOKEN" with the token of --token');
  expect(said).toContain("--no-auth");
});

test.each([
  [undefined, "The request has no Authorization header."],
  ["", "The request has no Authorization header."],
  ["Bearer", "The Authorization header has no token."],
  ["Bearer ", "The Authorization header has no token."],
  ["bearer local-token", 'The scheme "bearer" must be written "Bearer", with one space behind it.'],
  ["BEARER local-token", 'The scheme "BEARER" must be written "Bearer", with one space behind it.'],
  ["Basic bG9jYWw=", 'The scheme of the Authorization header is "Basic", but it must be "Bearer".'],
  ["Token local-token", 'The scheme of the Authorization header is "Token", but it must be'],
  ["local-token", 'The Authorization header must begin with "Bearer ".'],
  ["Bearer wrong", "The token ******** is not accepted."],
  ["Bearer a-long-and-wrong-token", "The token a-l********oken is not accepted."],
  [
    'Bearer "local-token"',
    'The token "lo********ken" is not accepted: it has spaces, quotes or brackets around it.',
  ],
  ["Bearer  local-token", "it has spaces, quotes or brackets around it."],
])("says of the header %j why it does not do", (header, why) => {
  expect(advice(header)).toContain(why);
});

test("recognises a key of chat", () => {
  expect(advice("Bearer key-of-the-chat", own)).toContain(
    "The token is one of chat's keys, but the tables have a token of their own.",
  );
});
