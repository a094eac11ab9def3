import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { loadFixtures } from "../../src/fronts/node/index.ts";
import { type CodeBlock, codeBlocks } from "../support/markdown-blocks.ts";
import { freePort } from "../../scripts/scale/ports.ts";
import { pasteCurl } from "../support/paste-curl.ts";
import { readAsBacklot, workflowLines } from "../support/workflow-lines.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const project = inject("project");
const shell = promisify(execFile);
const pages = [
  "README.md",
  ...readdirSync(join(root, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
  "examples/README.md",
  "fixtures/README.md",
];

interface PageBlock extends CodeBlock {
  /** What the block is known by: its page and line, without characters that file names lack. */
  readonly id: string;
}

/** Its blocks are steps of a reader: tutorial.test.ts follows them. */
const followed = "docs/tutorial.md";

const blocks = pages
  .filter((page) => page !== followed)
  .flatMap((page) =>
    codeBlocks(readFileSync(join(root, page), "utf8")).map((block): PageBlock => ({
      ...block,
      id: `${page.replaceAll("/", "-")}-${block.line}`,
    })),
  );

function blocksOf(info: string): [string, PageBlock][] {
  return blocks
    .filter((block) => block.info === info)
    .map((block) => [`${block.id}: ${block.code.split("\n")[0]}`, block]);
}

/** A transcript: the command behind `$`, and what it prints. */
function transcriptOf({ code }: CodeBlock): { command: string; printed: string } {
  const [command = "", ...printed] = code.trimEnd().split("\n");
  return { command: command.replace("$ ", ""), printed: printed.join("\n") };
}

/** The global setup that stands right before a block, if there is one. */
function setupOf(block: PageBlock): PageBlock | undefined {
  const before = blocks[blocks.indexOf(block) - 1];
  return before?.info === "ts globalSetup" ? before : undefined;
}

/** What vitest reports of a file. */
interface FileReport {
  readonly name: string;
  readonly status: string;
  readonly message: string;
  readonly assertionResults: readonly { readonly failureMessages: readonly string[] }[];
}

/** Has vitest run all blocks of tests without a setup, at once: to start it for each takes most of the time. */
async function runTogether(): Promise<readonly FileReport[]> {
  const files = blocksOf("ts test").flatMap(([, block]) => {
    if (setupOf(block) !== undefined) return [];
    writeFileSync(join(project, `${block.id}.test.ts`), block.code);
    return [`${block.id}.test.ts`];
  });
  const options = "--reporter=json --outputFile=report.json --testTimeout=60000";
  // What failed stands in the report.
  await run(`vitest run ${options} ${files.join(" ")}`).catch(() => undefined);
  return JSON.parse(readFileSync(join(project, "report.json"), "utf8")).testResults;
}

let reports: ReturnType<typeof runTogether> | undefined;

/** Runs a shell line in the user's project, where `backlot` is on the path. */
function run(command: string): Promise<{ stdout: string; stderr: string }> {
  const PATH = `${join(project, "node_modules", ".bin")}:${process.env["PATH"]}`;
  const { FORCE_COLOR: _, ...env } = process.env;
  return shell("sh", ["-euc", command], {
    cwd: project,
    env: { ...env, PATH, NO_COLOR: "1", CI: "" },
  });
}

/** Starts what the README's start command starts, on a free port, with options as they are written. */
async function startAsDocumented(
  options: readonly string[] = [],
): Promise<{ url: string; stop: () => void }> {
  const args = ["start", "--silent", "--", ...options, "--port", "0", "--log", "json"];
  const server = spawn("npm", args, { cwd: root, detached: true });
  const [line] = await once(createInterface({ input: server.stdout }), "line");
  const stop = (): void => {
    if (server.pid !== undefined) process.kill(-server.pid);
  };
  return { url: JSON.parse(String(line)).url, stop };
}

/** Blocks that vitest runs in place of another runner, behind a stand-in for the package that they import. */
const otherRunners = { "js jest": "@jest/globals", "ts playwright": "@playwright/test" } as const;

const kinds = [
  "sh",
  "sh curl",
  "ts globalSetup",
  "ts test",
  "js run",
  "js browser",
  "js k6",
  "js postgres",
  "yaml ci",
  "sh ci",
  "jsonc fixtures",
  "text check",
  "text curl",
  "text run",
  // other-languages.test.ts runs them.
  "python exec",
  "python sdk",
  // codex.test.ts reads it.
  "toml codex",
  // package-of-today/your-sdk.test.ts runs them.
  "ts sdk",
  ...Object.keys(otherRunners),
];

test("every block of the README and the pages behind it is of a kind that these tests run", () => {
  const isServed = (block: PageBlock): boolean => {
    const after = blocks[blocks.indexOf(block) + 1];
    return after?.info === "text curl" && fileBefore(after) !== undefined;
  };
  expect(blocks.filter((block) => !kinds.includes(block.info) && !isServed(block))).toEqual([]);
});

test("the pictures of the README have at most 300 KB", () => {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const pictures = [...readme.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)].map(([, path = ""]) => path);
  expect(pictures).not.toEqual([]);
  const sizes = pictures.map((path) => statSync(join(root, path)).size);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(300_000);
});

test("the README's two commands are the ones that the gate runs", () => {
  expect(blocksOf("sh").map(([, { code }]) => code.trim())).toEqual([
    "npm ci && npm start",
    "npm ci && npm test",
  ]);
  const gate = readFileSync(join(root, ".ci/run"), "utf8");
  expect(gate).toMatch(/^npm ci\b/m);
  // The matrix runs `npm test` itself, under the oldest and the newest Node.
  expect(gate).toMatch(/^npm run check -- matrix\b/m);
  const stages = readFileSync(join(root, "scripts/matrix/stages.ts"), "utf8");
  expect(stages).toContain('run("npm", ["test"]');
});

describe("against what the README's start command starts", () => {
  let started: Awaited<ReturnType<typeof startAsDocumented>>;
  beforeAll(async () => {
    started = await startAsDocumented();
  });
  afterAll(() => started.stop());

  test.for(blocksOf("sh curl"))("curl, %s", async ([, { code }]) => {
    for (const line of code.trim().split("\n")) {
      const printed = await pasteCurl(line.replace("http://127.0.0.1:4010", started.url));
      expect(printed).not.toBe("");
      expect(printed).not.toContain('"error"');
    }
  });
});

/** The file that stands right before a block, if there is one: its block is named by it, as in `json shop.json`. */
function fileBefore(block: PageBlock): { name: string; code: string } | undefined {
  const before = blocks[blocks.indexOf(block) - 1];
  const [, name] = /^json (\S+\.json)$/.exec(before?.info ?? "") ?? [];
  return name === undefined ? undefined : { name, code: before?.code ?? "" };
}

/** What a block of curl lines behind a start shows: the options of the start, and what each line prints. */
function shownByCurl(block: PageBlock) {
  const [start = "", ...steps] = block.code.trimEnd().split(/^\$ /m).slice(1);
  const file = fileBefore(block);
  const path = join(project, `${block.id}.json`);
  if (file !== undefined) writeFileSync(path, file.code);
  const [, , , ...words] = start.trim().split(" ");
  const options = words.map((word) => (word === file?.name ? path : word));
  const lines = steps.map((step) => {
    const [line = "", ...printed] = step.trimEnd().split("\n");
    return { line, printed: printed.join("\n") };
  });
  return { options, lines };
}

/** What a page shows: the whole text, where an ellipsis stands for anything. */
function asShown(text: string): RegExp {
  const parts = text.split("…").map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "s");
}

describe("against a server that is started as a page says", () => {
  test.for(blocksOf("text curl"))("curl prints what it shows, %s", async ([, block]) => {
    const { options, lines } = shownByCurl(block);
    const { url, stop } = await startAsDocumented(options);
    try {
      for (const { line, printed } of lines) {
        expect(await pasteCurl(line.replace("http://127.0.0.1:4010", url))).toMatch(
          asShown(printed),
        );
      }
    } finally {
      stop();
    }
  });
});

describe("in a checkout", () => {
  test.for(blocksOf("text run"))("the command prints what it shows, %s", async ([, block]) => {
    const { command, printed } = transcriptOf(block);
    const { stdout } = await shell("sh", ["-euc", command], { cwd: root });
    expect(stdout.trimEnd()).toBe(printed);
  });
});

describe("in a project that has the package", () => {
  const tests = blocksOf("ts test");

  test.for(tests.filter(([, block]) => setupOf(block) === undefined))(
    "vitest passes, %s",
    async ([, { id }]) => {
      const report = (await (reports ??= runTogether())).find(({ name }) => name.includes(id));
      const failures = report?.assertionResults.flatMap(({ failureMessages }) => failureMessages);
      expect([report?.message, failures]).toEqual(["", []]);
      expect(report?.status).toBe("passed");
      expect(report?.assertionResults).not.toEqual([]);
    },
  );

  test.for(tests.filter(([, block]) => setupOf(block) !== undefined))(
    "vitest passes with its setup, %s",
    async ([, block]) => {
      const setup = `${block.id}.setup.ts`;
      const config = { test: { globalSetup: setup } };
      writeFileSync(join(project, setup), setupOf(block)?.code ?? "");
      writeFileSync(join(project, `${block.id}.test.ts`), block.code);
      writeFileSync(
        join(project, `${block.id}.config.mjs`),
        `export default ${JSON.stringify(config)};`,
      );
      const { stdout } = await run(
        `vitest run --config ${block.id}.config.mjs ${block.id}.test.ts`,
      );
      expect(stdout).toMatch(/Tests\s+\d+ passed/);
    },
  );

  describe.each(Object.entries(otherRunners))("for %s", (info, imported) => {
    test.for(blocksOf(info))("vitest passes, %s", async ([, { code, id }]) => {
      const [language, runner] = info.split(" ");
      const file = `${id}.test.m${language}`;
      const standIn = `${runner}.mjs`;
      copyFileSync(join(root, "test/support/runners", standIn), join(project, standIn));
      writeFileSync(join(project, file), code.replace(imported, `./${standIn}`));
      await run(`rm -rf fixtures && backlot init fixtures`);
      const { stdout } = await run(`backlot exec fixtures -- vitest run ${file}`);
      expect(stdout).toMatch(/Tests\s+\d+ passed/);
    });
  });

  // A comment `// → text` says what the script prints; without one, anything will do.
  test.for(blocksOf("js run"))("the script runs, %s", async ([, { code, id }]) => {
    const file = `${id}.mjs`;
    writeFileSync(join(project, file), code);
    await run(`rm -rf fixtures && backlot init fixtures`);
    const { stdout } = await run(`node ${file}`);
    expect(stdout).not.toBe("");
    for (const [, text = ""] of code.matchAll(/\/\/ → (.*)/g)) expect(stdout).toContain(text);
  });

  test.for(blocksOf("jsonc fixtures"))("the fixtures load, %s", async ([, { code, id }]) => {
    const file = join(project, `${id}.jsonc`);
    writeFileSync(file, code);
    const { tables, scripts, embeddings, warnings } = await loadFixtures(file);
    expect(tables.length + scripts.length + embeddings.length).toBeGreaterThan(0);
    expect(warnings).toEqual([]);
  });

  test.for(blocksOf("text check"))("check prints what it shows, %s", async ([, block]) => {
    mkdirSync(join(project, "shop", "tables"), { recursive: true });
    writeFileSync(
      join(project, "shop", "tables", "users.json"),
      '{\n  "primaryKey": "id",\n  "colums": { "id": "INTEGER" }\n}\n',
    );
    const { command, printed } = transcriptOf(block);
    const failure = await run(command.replace("npx ", "")).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 1, stderr: expect.stringContaining(printed) });
  });

  // k6 itself is no package: a stand-in has its functions.
  test.for(blocksOf("js k6"))("a virtual user gets through, %s", async ([, { code, id }]) => {
    copyFileSync(join(root, "test/support/runners/k6.mjs"), join(project, "k6.mjs"));
    writeFileSync(join(project, `${id}.mjs`), code.replaceAll(/"k6(?:\/http)?"/g, '"./k6.mjs"'));
    const user = [
      "Object.assign(globalThis, { __VU: 1, __ENV: process.env });",
      `await (await import("./${id}.mjs")).default();`,
      'console.log("done");',
    ];
    writeFileSync(join(project, "virtual-user.mjs"), user.join("\n"));
    await run("rm -rf fixtures && backlot init fixtures");
    const { stdout } = await run("backlot exec fixtures -- node virtual-user.mjs");
    expect(stdout).toBe("done\n");
  });

  test.for(blocksOf("yaml ci"))("the workflow's commands are right, %s", async ([, { code }]) => {
    const lines = workflowLines(code);
    expect(lines[0]).toBe("npm ci");
    for (const line of lines.filter((one) => one !== "npm ci")) {
      expect(line).toMatch(/^npx backlot /);
      await readAsBacklot(line);
    }
    // What needs no service of others is run, in a folder of its own with a single test.
    await run("rm -rf ci && mkdir ci && backlot init ci/fixtures");
    writeFileSync(
      join(project, "ci/one.test.mjs"),
      'import { test } from "vitest"; test("a", () => {});',
    );
    for (const line of lines.filter((one) => /backlot (?:check|exec)/.test(one))) {
      await run(`cd ci && ${line.replaceAll("npx ", "")}`);
    }
  });

  test.for(blocksOf("sh ci"))(
    "the server is there when the lines are done, %s",
    async ([, block]) => {
      await run("rm -rf fixtures && backlot init fixtures");
      const code = block.code.replaceAll("4010", String(await freePort())).replaceAll("npx ", "");
      const { stdout } = await run(`trap 'kill $!' EXIT; ${code}`);
      expect(JSON.parse(stdout)).toEqual({ status: "ok" });
    },
  );
});
