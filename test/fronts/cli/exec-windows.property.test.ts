import fc from "fast-check";
import { expect, test } from "vitest";
import { type Program, windowsProgram } from "../../../src/fronts/cli/exec/windows-program.ts";

const files = [
  "C:\\nodejs\\node.exe",
  "C:\\nodejs\\npx",
  "C:\\nodejs\\npx.CMD",
  "C:\\work\\node_modules\\.bin\\vitest.CMD",
  "C:\\work\\my tools\\run.bat",
];

function isThere(path: string): boolean {
  return files.some((file) => file.toLowerCase() === path.toLowerCase());
}

/** The command on a Windows machine that has those files. */
function programFor(name: string, ...args: string[]): Program {
  const env = { Path: "C:\\nodejs;C:\\work\\node_modules\\.bin", PathExt: ".COM;.EXE;.BAT;.CMD" };
  return windowsProgram({ name, args }, { env, cwd: "C:\\work", isThere });
}

/** What `cmd.exe` makes of a line. Every sign that it knows must have a `^` in front. */
function readByCmd(line: string): string {
  expect(line.replaceAll(/\^./g, "")).not.toMatch(/[()%!^"<>&|;]/);
  return line.replaceAll(/\^(.)/gs, "$1");
}

/** The quoted arguments that a program reads, by the rules of Microsoft's C runtime. */
function argumentsOf(line: string): string[] {
  const quoted = [...line.matchAll(/"((?:\\.|[^"\\])*)"(?: |$)/gs)];
  return quoted.map(([, inside = ""]) =>
    inside.replaceAll(/(\\*)("|$)/g, (_, slashes: string, quote: string) => {
      return slashes.slice(Math.ceil(slashes.length / 2)) + quote;
    }),
  );
}

const signs = ["\\", '"', "%", "^", "&", "|", "<", "(", "!", ";", " ", "=", "a", "é"];
const anyArgument = fc.string({ unit: fc.constantFrom(...signs), maxLength: 10 });

test.each([
  ["npx", 1],
  ["vitest", 2],
])("arguments of %s come through %i readings by cmd.exe as they were", (name, readings) => {
  fc.assert(
    fc.property(fc.array(anyArgument), (args) => {
      let line = programFor(name, ...args).args[3]?.slice(1, -1) ?? "";
      for (let times = 0; times < readings; times += 1) line = readByCmd(line);
      expect(line.startsWith(name)).toBe(true);
      expect(argumentsOf(line)).toEqual(args);
    }),
    { numRuns: 2_000, seed: 7 },
  );
});

test("runs a program of Windows as it is, with its path", () => {
  expect(programFor("node", "-p", "1 + 1")).toEqual({
    file: "C:\\nodejs\\node.EXE",
    args: ["-p", "1 + 1"],
    verbatim: false,
  });
});

test("leaves what is not found to the system, which says so", () => {
  expect(programFor("nothing", "a")).toEqual({ file: "nothing", args: ["a"], verbatim: false });
});

test.each([
  ["npx", ["vitest", "run"], '"npx ^"vitest^" ^"run^""'],
  ["npx", ["100%", 'say "hi"'], String.raw`"npx ^"100^%^" ^"say^ \^"hi\^"^""`],
  ["vitest", ["a&b"], '"vitest ^^^"a^^^&b^^^""'],
  ["./my tools/run", ["x\\"], String.raw`"my^ tools\run ^"x\\^""`],
])("runs %s, a batch file, by cmd.exe with quoted words", (name, args, line) => {
  expect(programFor(name, ...args)).toEqual({
    file: "cmd.exe",
    args: ["/d", "/s", "/c", line],
    verbatim: true,
  });
});
