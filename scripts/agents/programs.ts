import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** A call as a script writes it. */
export interface Call {
  readonly name: string;
  readonly arguments: Readonly<Record<string, string>>;
}

/** Where a program runs, and whom it asks. */
export interface Place {
  /** The folder with the files that it reads. */
  readonly folder: string;
  readonly baseUrl: string;
}

/** An agent program of the registry, and how it runs without a terminal. */
export interface Program {
  readonly name: string;
  readonly package: string;
  /** Writes its configuration. Its home is the folder `home` in the folder. */
  readonly configure: (place: Place) => void;
  /** The command that asks in a new conversation, or in the last one. */
  readonly ask: (prompt: string, isResumed: boolean) => readonly [command: string, ...string[]];
  /** Its own way to read a file. */
  readonly read: (path: string) => Call;
  /** Its own way to hand a task over. Undefined: it has none. */
  readonly handOver?: (prompt: string) => Call;
}

const qwen: Program = {
  name: "Qwen Code",
  package: "@qwen-code/qwen-code",
  configure: () => undefined,
  ask: (prompt, isResumed) => [
    "qwen",
    "--auth-type",
    "openai",
    "--yolo",
    "--prompt",
    prompt,
    ...(isResumed ? ["--continue"] : []),
  ],
  read: (path) => ({ name: "read_file", arguments: { file_path: path } }),
  handOver: (prompt) => ({
    name: "agent",
    arguments: { description: "A task", prompt, subagent_type: "general-purpose" },
  }),
};

const openCode: Program = {
  name: "OpenCode",
  package: "opencode-ai",
  configure: ({ folder, baseUrl }) => {
    const model = "backlot/atlas";
    const provider = {
      npm: "@ai-sdk/openai-compatible",
      options: { baseURL: baseUrl, apiKey: "local-key" },
      models: { atlas: { tool_call: true } },
    };
    const config = {
      model,
      small_model: model,
      autoupdate: false,
      provider: { backlot: provider },
    };
    writeFileSync(join(folder, "opencode.json"), JSON.stringify(config));
  },
  ask: (prompt, isResumed) => ["opencode", "run", ...(isResumed ? ["--continue"] : []), prompt],
  read: (path) => ({ name: "read", arguments: { filePath: path } }),
  handOver: (prompt) => ({
    name: "task",
    arguments: { description: "A task", prompt, subagent_type: "general" },
  }),
};

const continueCli: Program = {
  name: "Continue",
  package: "@continuedev/cli",
  configure: ({ folder, baseUrl }) => {
    const model = {
      name: "atlas",
      provider: "openai",
      model: "atlas",
      apiBase: baseUrl,
      apiKey: "local-key",
      roles: ["chat"],
      capabilities: ["tool_use"],
    };
    const config = { name: "Local", version: "1.0.0", schema: "v1", models: [model] };
    // JSON is YAML.
    writeFileSync(join(folder, "continue.yaml"), JSON.stringify(config));
  },
  ask: (prompt, isResumed) => [
    "cn",
    "--config",
    "continue.yaml",
    "--auto",
    "--print",
    ...(isResumed ? ["--resume"] : []),
    prompt,
  ],
  read: (path) => ({ name: "Read", arguments: { filepath: path } }),
};

const codex: Program = {
  name: "Codex",
  package: "@openai/codex",
  configure: ({ folder, baseUrl }) => {
    const lines = [
      'model = "atlas"',
      'model_provider = "backlot"',
      "[model_providers.backlot]",
      'name = "Backlot"',
      `base_url = "${baseUrl}"`,
      'env_key = "OPENAI_API_KEY"',
      'wire_api = "responses"',
    ];
    writeFileSync(join(folder, "home", "config.toml"), `${lines.join("\n")}\n`);
  },
  ask: (prompt, isResumed) => [
    "codex",
    "exec",
    "--skip-git-repo-check",
    ...(isResumed ? ["resume", "--last"] : []),
    prompt,
  ],
  read: (path) => ({ name: "exec_command", arguments: { cmd: `cat '${path}'` } }),
};

export const programs: readonly Program[] = [qwen, openCode, continueCli, codex];
