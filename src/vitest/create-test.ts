import { test, type TestAPI } from "vitest";
import type { CollectionTables } from "../emulator/collection-option.ts";
import type { Emulator, EmulatorOptions, EmulatorSession } from "../emulator/emulator.ts";
import { EmulatorError } from "../errors/emulator-error.ts";
import { createEmulator } from "../index.ts";

/** What a test gets as `backlot`: a session that nobody else has. */
export interface TestSession<
  Fixtures = unknown,
  Collections extends CollectionTables = never,
> extends EmulatorSession<Fixtures, Collections> {
  /** The session's id, for clients that name it themselves: by a base URL that ends in `/@<id>`, or by header. */
  readonly id: string;
}

/** An emulator that is there already, such as one that a server was started for. */
export interface GivenEmulator<Fixtures = unknown, Collections extends CollectionTables = never> {
  readonly emulator: Emulator<Fixtures, Collections>;
}

/** Vitest's `test`, whose functions get `backlot` too. */
export type BacklotTest<
  Fixtures = unknown,
  Collections extends CollectionTables = never,
> = TestAPI<{ readonly backlot: TestSession<Fixtures, Collections> }>;

/**
 * Makes a `test` of vitest that gives each test a session of its own as `backlot`; from vitest 4 on each retry too.
 * All share one emulator, which is made when the first test asks for it; its base session is left alone. Tests may
 * run concurrently.
 *
 * @example
 * const test = createTest({ fixtures: { tables: { users: [{ id: 1, name: "Ada" }] } } });
 * test("finds a user", ({ backlot }) => {
 *   expect(backlot.tables.users.get(1)?.name).toBe("Ada");
 * });
 */
export function createTest<
  const Fixtures = unknown,
  const Collections extends CollectionTables = never,
>(
  options: EmulatorOptions<Fixtures, Collections> | GivenEmulator<Fixtures, Collections> = {},
): BacklotTest<Fixtures, Collections> {
  const emulator = emulatorOf<Fixtures, Collections>(options);
  return test.extend<{ readonly backlot: TestSession<Fixtures, Collections> }>({
    // Vitest reads from this pattern that no other fixture is needed.
    // oxlint-disable-next-line no-empty-pattern
    backlot: async ({}, use) => {
      const shared = await emulator();
      const id = nextSessionId();
      try {
        await use({ id, ...shared.session(id) });
      } finally {
        shared.core.sessions.delete(id);
      }
    },
  });
}

let sessionsMade = 0;

/** Counted for all emulators, since one may be given to several calls. */
function nextSessionId(): string {
  sessionsMade++;
  return `vitest-${sessionsMade}`;
}

function emulatorOf<Fixtures, Collections extends CollectionTables>(
  options: EmulatorOptions<Fixtures, Collections> | GivenEmulator<Fixtures, Collections>,
): () => Promise<Emulator<Fixtures, Collections>> {
  if ("emulator" in options) {
    checkGiven(options);
    const { emulator } = options;
    return () => Promise.resolve(emulator);
  }
  let made: Promise<Emulator<Fixtures, Collections>> | undefined;
  return () => (made ??= createEmulator<Fixtures, Collections>(options));
}

function checkGiven({ emulator, ...others }: { readonly emulator: unknown }): void {
  const [other] = Object.keys(others);
  if (other !== undefined) {
    throw refusal(
      `"${other}" is given besides "emulator", which has its settings already. Give one of them.`,
    );
  }
  if (!isEmulator(emulator)) {
    throw refusal(`"emulator" is none. Give it what \`await createEmulator()\` gives.`);
  }
}

function isEmulator(value: unknown): boolean {
  return typeof value === "object" && value !== null && "session" in value && "core" in value;
}

function refusal(problem: string): EmulatorError {
  return new EmulatorError("ERR_OPTION_INVALID", `Cannot make a test: ${problem}`);
}
