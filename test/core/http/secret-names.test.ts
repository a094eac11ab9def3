import { expect, test } from "vitest";
import { isSecretHeader, isSecretName } from "../../../src/core/http/secret-names.ts";

test.each([
  "password",
  "user_passwd",
  "clientSecret",
  "CLIENT-SECRET",
  "AWSSecretAccessKeyId",
  "AccessKeyId",
  "access_key",
  "apiKey",
  "APIKey",
  "api-keys",
  "apikey",
  "x-functions-key",
  "signing_key",
  "refreshToken",
  "ToKeN",
  "auth",
  "userJWT",
  "otp",
  "set-cookie",
])("knows %s for the name of a secret, as a column and as a header", (name) => {
  expect(isSecretName(name)).toBe(true);
  expect(isSecretHeader(name)).toBe(true);
});

test.each([
  "id",
  "",
  "42",
  "author",
  "tokens",
  "max_tokens",
  "tokenCount",
  "token_type",
  "access-control-allow-headers",
  "Idempotency-Key",
  "cache-key",
  "x-backlot-session",
])("takes %j for no secret, as a column and as a header", (name) => {
  expect(isSecretName(name)).toBe(false);
  expect(isSecretHeader(name)).toBe(false);
});

test.each(["key", "primary_key", "sortKey", "session", "sessionid", "sid", "PIN"])(
  "takes %s for a secret where it is no column",
  (name) => {
    expect(isSecretName(name)).toBe(false);
    expect(isSecretHeader(name)).toBe(true);
  },
);

test("gives the same answers after any number of other names", () => {
  const others = Array.from({ length: 2_500 }, (_, count) => `column_${count}`);
  expect(others.filter((name) => isSecretName(name))).toEqual([]);
  expect(isSecretName("password")).toBe(true);
  expect(isSecretName("column_0")).toBe(false);
});
