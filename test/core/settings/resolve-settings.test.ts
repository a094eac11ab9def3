import { expect, test } from "vitest";
import { resolveSettings } from "../../../src/core/settings/resolve-settings.ts";
import type { EmulatorSettings } from "../../../src/core/settings/settings.ts";

test("has a default for every setting", () => {
  expect(resolveSettings({}, {})).toMatchObject({
    seed: undefined,
    clock: undefined,
    tablesProfile: { name: "document" },
    chatProfile: { name: "document" },
    tokens: ["local-token"],
    apiKeys: [],
    cors: true,
    basePaths: ["/v1", ""],
    speed: 1,
    unmatched: "echo",
    latency: [0, 0],
    bodyLimit: 10_000_000,
    origins: [],
  });
});

test("takes what the fixtures' config says", () => {
  const config = {
    token: "sesame",
    apiKeys: ["k"],
    seed: 5,
    clock: 1_000,
    unmatched: "error",
    tablesProfile: "document",
    chatProfile: "document",
  } as const;
  expect(resolveSettings({}, config)).toMatchObject({
    tokens: ["sesame"],
    apiKeys: ["k"],
    seed: 5,
    clock: 1_000,
    unmatched: "error",
  });
});

test("takes from the config how the service behaves, unless an option says otherwise", () => {
  const config = {
    auth: false,
    cors: false,
    basePath: ["/api"],
    speed: 3,
    latency: [1, 2],
  } as const;
  const read = { tokens: null, cors: false, basePaths: ["/api"], speed: 3, latency: [1, 2] };
  expect(resolveSettings({}, config)).toMatchObject(read);
  const options = { auth: true, cors: true, basePath: "/v2", speed: 0, latency: 7 };
  const chosen = { cors: true, basePaths: ["/v2"], speed: 0, latency: [7, 7] };
  expect(resolveSettings(options, config)).toMatchObject({ ...chosen, tokens: ["local-token"] });
});

test("prefers options to the fixtures' config", () => {
  const config = { token: "a", apiKeys: ["a"], seed: 1, clock: 1, unmatched: "error" } as const;
  const options = { token: "b", apiKeys: ["b", "c"], seed: 2, clock: 2, strict: false } as const;
  expect(resolveSettings(options, config)).toMatchObject({
    tokens: ["b"],
    apiKeys: ["b", "c"],
    seed: 2,
    clock: 2,
    unmatched: "echo",
  });
});

test("asks for no key at all without auth, whatever keys there are", () => {
  const settings = resolveSettings({ auth: false, token: "a" }, { apiKeys: ["k"] });
  expect([settings.tokens, settings.apiKeys]).toEqual([null, null]);
});

test.each([
  ["2024-01-01T00:00:00Z", 1_704_067_200_000],
  [new Date(5), 5],
  [0, 0],
])("reads the clock %s", (clock, expected) => {
  expect(resolveSettings({ clock }, {}).clock).toBe(expected);
});

test.each([
  ["/", [""]],
  ["/api/", ["/api"]],
  [
    ["/", "/a", "/a/b", "/a"],
    ["/a/b", "/a", ""],
  ],
])("reads the base paths %j, the longest first", (basePath, expected) => {
  expect(resolveSettings({ basePath }, {}).basePaths).toEqual(expected);
});

test.each([
  [50, [50, 50]],
  [[10, 30] as const, [10, 30]],
])("reads the latency %j", (latency, expected) => {
  expect(resolveSettings({ latency }, {}).latency).toEqual(expected);
});

test("reads origins as addresses have them", () => {
  const origins = ["https://API.example.com", "http://localhost:80/", "http://localhost:4010"];
  expect(resolveSettings({ origins }, {}).origins).toEqual([
    "https://api.example.com",
    "http://localhost",
    "http://localhost:4010",
  ]);
});

const refused: readonly (readonly [EmulatorSettings, string])[] = [
  [{ seed: 1.5 }, "seed"],
  [{ seed: Number.NaN }, "seed"],
  [{ clock: "yesterday" }, "clock"],
  [{ clock: new Date("x") }, "clock"],
  [{ basePath: "api" }, "basePath"],
  [{ basePath: ["/ok", "/with?query"] }, "basePath"],
  [{ basePath: [] }, "basePath"],
  [{ basePath: "/__backlot" }, "basePath"],
  [{ basePath: ["/v1", "/@t/v1"] }, "basePath"],
  [{ speed: -1 }, "speed"],
  [{ speed: Infinity }, "speed"],
  [{ latency: -5 }, "latency"],
  [{ latency: [30, 10] }, "latency"],
  [{ latency: [0, Number.NaN] }, "latency"],
  [{ bodyLimit: -1 }, "bodyLimit"],
  [{ bodyLimit: 0.5 }, "bodyLimit"],
  [{ origins: ["api.example.com"] }, "origins"],
  [{ origins: ["https://example.com/v1"] }, "origins"],
  [{ origins: ["data:x"] }, "origins"],
  [{ token: "" }, "token"],
  [{ apiKeys: ["ok", ""] }, "apiKeys"],
];

test.each(refused)("refuses the options %j, naming %s", (options, name) => {
  expect(() => resolveSettings(options, {})).toThrow(
    expect.objectContaining({
      code: "ERR_OPTION_INVALID",
      message: expect.stringMatching(new RegExp(`^Cannot use the option ${name}: .* \\w.*\\.$`)),
    }),
  );
});

/** Options as they come from JavaScript, where nothing checks their types. */
const untyped: readonly (readonly [string, unknown])[] = [
  ["seed", "1"],
  ["speed", "2"],
  ["latency", "50"],
  ["latency", null],
  ["token", 5],
  ["apiKeys", "local-key"],
  ["apiKeys", [5]],
  ["basePath", 5],
  ["origins", "https://example.com"],
  ["profiles", "openai"],
];

test.each(untyped)("refuses the option %s of another type: %j", (name, value) => {
  const options: EmulatorSettings = JSON.parse(JSON.stringify({ [name]: value }));
  expect(() => resolveSettings(options, {})).toThrow(
    expect.objectContaining({ code: "ERR_OPTION_INVALID", message: expect.stringContaining(name) }),
  );
});

test("refuses an option that does not exist and names the nearest", () => {
  const options: EmulatorSettings = JSON.parse('{"sead":1}');
  expect(() => resolveSettings(options, {})).toThrow(
    expect.objectContaining({
      code: "ERR_OPTION_INVALID",
      message: expect.stringMatching(/^Cannot use the option "sead".*"seed"/),
    }),
  );
});

test("takes a profile that is undefined as not given", () => {
  const profiles: unknown = { tables: undefined, chat: "openai" };
  const options = { profiles } as EmulatorSettings;
  expect(resolveSettings(options, {}).tablesProfile).toBe(resolveSettings({}, {}).tablesProfile);
});

test("refuses a profile that does not exist and lists those that do", () => {
  const options: EmulatorSettings = JSON.parse('{"profiles":{"tables":"documnet"}}');
  expect(() => resolveSettings(options, {})).toThrow(
    expect.objectContaining({
      code: "ERR_OPTION_INVALID",
      message: expect.stringMatching(/"documnet".*"document"/),
    }),
  );
});

test.each([
  ["tablesProfile", 'there is no such option. Write profiles: { tables: "starbasedb" }.'],
  ["chatProfile", 'Write profiles: { chat: "openai" }.'],
  ["skipUnsupported", "It belongs to loadFixtures"],
  ["profile", 'Did you mean "profiles"?'],
])("tells where the option %s belongs", (name, advice) => {
  const options: EmulatorSettings = Object.fromEntries([[name, "starbasedb"]]);
  expect(() => resolveSettings(options, {})).toThrow(advice);
});

test.each([
  [{ token: 5309 }, "option token: it must be a text."],
  [{ controlToken: ["s3cr3t"] }, "option controlToken: it must be a text."],
  [{ apiKeys: "s3cr3t" }, "option apiKeys: it must be an array."],
  [{ token: "" }, "option token: it must not be empty."],
])("does not show the key in %j", (options, message) => {
  expect(() => resolveSettings(options as EmulatorSettings, {})).toThrow(message);
});
