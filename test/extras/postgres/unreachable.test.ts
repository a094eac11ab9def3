import { expect, test } from "vitest";
import { DatabaseFailure, isBug } from "../../../src/extras/postgres/failures.ts";

const address = { shown: "db.example.com:5432/app", schema: "shop" };

function failure(message: string, code?: string): DatabaseFailure {
  const error = new Error(message);
  return new DatabaseFailure(code === undefined ? error : Object.assign(error, { code }), address);
}

test.each([
  ["28P01", 'password authentication failed for user "me"', "the role or its password is wrong"],
  ["28000", 'role "me" does not exist', "the role or its password is wrong"],
  ["3D000", 'database "app" does not exist', "there is no such database"],
  ["42P01", 'relation "shop._backlot_state" does not exist', "the schema was dropped"],
  ["3F000", 'schema "shop" does not exist', "the schema was dropped"],
  ["42501", "permission denied for schema shop", "the role lacks a privilege"],
])("the server's %s is told as a refusal, and of a lasting one", (code, message, said) => {
  const { message: logged, reply, isLasting } = failure(message, code);
  expect(reply).toContain(`which refuses: ${said}`);
  expect(reply).not.toMatch(/example|app\b|"me"/);
  expect(logged).toContain(`at db.example.com:5432/app, which refuses: ${said}`);
  expect(logged).toContain(message);
  expect(isLasting).toBe(true);
});

test("a lock that another program holds is a refusal that is soon over", () => {
  const { reply, isLasting } = failure("canceling statement due to lock timeout", "55P03");
  expect(reply).toContain("another program has held a lock on the rows for too long");
  expect(isLasting).toBe(false);
});

test.each([
  ["permission denied for database app", "GRANT CREATE ON DATABASE"],
  ["permission denied for table notes", 'GRANT ALL ON ALL TABLES IN SCHEMA "shop"'],
])("whoever started it is told what to grant: %s", (message, grant) => {
  expect(failure(message, "42501").message).toContain(grant);
});

test("an address without the password that is wanted says so", () => {
  const text = "SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string";
  expect(failure(text).message).toContain("asks for a password, but the address has none");
});

test.each([
  ["connect ECONNREFUSED 10.0.0.7:5432", "ECONNREFUSED", "which does not answer: ECONNREFUSED"],
  ["Connection terminated unexpectedly", undefined, "which does not answer: Connection terminated"],
  ["terminating connection due to administrator command", "57P01", "which does not answer: 57P01"],
])("clients are not told the address: %s", (message, code, said) => {
  const { message: logged, reply, isLasting } = failure(message, code);
  expect(reply).toContain(said);
  expect(reply).not.toMatch(/10\.0|example/);
  expect(logged).toContain(message);
  expect(isLasting).toBe(true);
});

test("what is a bug is not PostgreSQL's failure", () => {
  expect(isBug(new TypeError("x is not a function"))).toBe(true);
  expect(isBug(Object.assign(new RangeError("port"), { code: "ERR_SOCKET_BAD_PORT" }))).toBe(false);
  expect(isBug(new Error("Connection terminated"))).toBe(false);
});
