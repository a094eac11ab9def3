import { expect, test } from "vitest";
import type { Database } from "../../../src/core/store/database.ts";
import { ask } from "./ask.ts";
import { shop } from "./shop.ts";

/** A request to the shop and what comes of it. */
export interface ProfileCase {
  readonly request: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
  /** What a success has as its `result`. */
  readonly result?: unknown;
  /** A failure's code. */
  readonly code?: string;
  /** Words that a failure's text or hint must have. */
  readonly says?: readonly string[];
}

/** The first user of the shop. */
export const ada = { id: 1, name: "Ada", email: "ada@example.com", active: true, score: 9.5 };

/** Makes a test of each case; a failure must also leave all rows as they are. */
export function testCases(cases: readonly ProfileCase[]): void {
  const titled = cases.map((each) => {
    const body = each.body === undefined ? "" : ` ${JSON.stringify(each.body).slice(0, 50)}`;
    return { ...each, title: `${each.request.slice(0, 60)}${body}` };
  });
  test.each(titled)(
    "$title gives $status",
    async ({ request, body, headers = {}, ...expected }) => {
      const database = shop();
      const before = allRows(database);
      const answer = await ask(database, request, { body, headers });
      const isFailure = expected.code !== undefined;
      expect(answer.status).toBe(expected.status);
      expect(answer.body).toEqual(isFailure ? failure(expected.code) : { result: expected.result });
      const text = JSON.stringify(answer.body);
      for (const words of expected.says ?? []) expect(text).toContain(inJson(words));
      const after = allRows(database);
      expect(isFailure ? after : before).toEqual(before);
    },
  );
}

function failure(code: string | undefined): unknown {
  const required = { code, error: expect.any(String) };
  return expect.toSatisfy((body: unknown) => {
    expect(body).toMatchObject(required);
    return Object.keys(body ?? {}).every((key) => ["error", "code", "hint"].includes(key));
  });
}

/** The rows of all tables. */
export function allRows(database: Database): unknown {
  return database.names().map((name) => database.table(name)?.rows());
}

function inJson(words: string): string {
  return JSON.stringify(words).slice(1, -1);
}
