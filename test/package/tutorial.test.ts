import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, inject, test } from "vitest";
import { freePort } from "../../scripts/scale/ports.ts";
import { followTutorial } from "../../scripts/tutorial/follow.ts";
import { TutorialError } from "../../scripts/tutorial/read-steps.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const project = inject("project");

/** In place of an installation: the packages that are there already, in a `node_modules` of the folder's own. */
const linkPackages = `
  rm -rf node_modules
  mkdir -p node_modules/.bin
  ln -s ${project}/node_modules/* node_modules/
  ln -s ../backlot/dist/command/backlot.js node_modules/.bin/backlot
  ln -s ../vitest/vitest.mjs node_modules/.bin/vitest`;

/** Follows a page in an empty folder. Gives the line and the message of the first thing that is not as it says. */
async function follow(markdown: string): Promise<string> {
  const { path } = await temporaryFolder();
  try {
    await followTutorial(markdown, {
      folder: path,
      port: await freePort(),
      inPlaceOf: (command) => (/^npm (install|ci)\b/.test(command) ? linkPackages : command),
      tell: () => {},
    });
    return "true";
  } catch (error) {
    if (error instanceof TutorialError) return `${error.line}: ${error.message}`;
    throw error;
  }
}

/** A page of some lines, in which `~~~` is a fence. */
function page(...lines: readonly string[]): string {
  return `${lines.join("\n").replaceAll("~~~", "```")}\n`;
}

test("the tutorial, followed command by command in an empty folder, is true", async () => {
  const markdown = readFileSync(join(root, "docs/tutorial.md"), "utf8");
  expect(await follow(markdown)).toBe("true");
});

describe("a tutorial is not true", () => {
  test("where a command prints something else", async () => {
    const wrong = await follow(
      page("~~~sh", "echo one", "echo two", "~~~", "~~~text", "one", "too", "~~~"),
    );
    expect(wrong).toBe("7: The page shows\n    too\nand this came:\n    two");
  });

  test("where a command prints more than it shows", async () => {
    const wrong = await follow(
      page("~~~sh", "echo one", "echo two", "~~~", "~~~text", "one", "~~~"),
    );
    expect(wrong).toBe("7: The page shows\n    nothing more\nand this came:\n    two");
  });

  test("where a command fails", async () => {
    expect(await follow(page("Do this:", "~~~sh", "true", "nonsense", "~~~"))).toMatch(
      /^4: .*ends with the exit code 127 and prints:\n.*nonsense/,
    );
  });

  test("where a command is to fail and does not", async () => {
    expect(await follow(page("~~~sh fails", "true", "~~~"))).toMatch(/^2: .* exit code 0/);
  });

  test("where a command without a network opens a connection", async () => {
    const open = `node -e 'fetch("http://127.0.0.1:4010")'`;
    expect(await follow(page("~~~sh offline", open, "~~~"))).toMatch(/^2: .* exit code 70/);
  });

  test("where a change is of lines that are not in the file", async () => {
    const lines = [
      "Save `a.txt`:",
      "~~~text a.txt",
      "one",
      "~~~",
      "~~~diff a.txt",
      "-two",
      "+three",
      "~~~",
    ];
    expect(await follow(page(...lines))).toMatch(/^5: .*is not in a\.txt:\ntwo/);
  });

  test("where the text does not name the file that is to be saved", async () => {
    expect(await follow(page("Save:", "~~~text a.txt", "one", "~~~"))).toMatch(/^2: .*`a\.txt`/);
  });

  test("where a block is nothing that a reader does or sees", async () => {
    expect(await follow(page("~~~js", "one();", "~~~"))).toMatch(/^1: The block is "js"/);
  });

  test("where the server's terminal shows something else", async () => {
    const lines = ["~~~sh server", "echo one", "~~~", "~~~text server", "…", "two", "~~~"];
    expect(await follow(page(...lines))).toMatch(
      /^6: .*The page shows\n {4}two\nand this came:\n {4}one/s,
    );
  });
});

describe("a tutorial is true", () => {
  test("where … stands for any text and any lines", async () => {
    const lines = [
      "~~~sh",
      "printf 'id 17 made\\n\\nmuch\\nmore\\ndone'",
      "~~~",
      "~~~text",
      "id … made",
      "…",
      "done",
      "~~~",
    ];
    expect(await follow(page(...lines))).toBe("true");
  });

  test("where a file is changed, and a folder is entered for good", async () => {
    const lines = [
      "~~~sh",
      "mkdir a",
      "cd a",
      "~~~",
      "Save `b/c.txt`:",
      "~~~text b/c.txt",
      "one",
      "two",
      "~~~",
    ];
    const change = [
      "~~~diff b/c.txt",
      " one",
      "-two",
      "+three",
      "~~~",
      "~~~sh",
      "cat b/c.txt",
      "~~~",
    ];
    expect(await follow(page(...lines, ...change, "~~~text", "one", "three", "~~~"))).toBe("true");
  });
});
