import type { CheckOptions } from "./check.ts";
import type { ExportOptions } from "./export.ts";
import type { ExecOptions } from "./exec/exec.ts";
import type { GenerateOptions } from "./generate-options.ts";
import type { ImportOptions } from "./import.ts";
import type { InitOptions } from "./init.ts";
import type { Io } from "./io.ts";
import type { RecordOptions } from "./record.ts";
import type { StartOptions } from "./start-options.ts";
import type { VerifyOptions } from "./verify.ts";

/** What the command line can ask for. Each resolves with the exit code. */
export interface Commands {
  readonly start: (options: Omit<StartOptions, "version">, io: Io) => Promise<number>;
  readonly check: (options: CheckOptions, io: Io) => Promise<number>;
  readonly init: (options: InitOptions, io: Io) => Promise<number>;
  readonly generate: (options: GenerateOptions, io: Io) => Promise<number>;
  readonly exec: (options: Omit<ExecOptions, "version">, io: Io) => Promise<number>;
  readonly export: (options: ExportOptions, io: Io) => Promise<number>;
  readonly import: (options: ImportOptions, io: Io) => Promise<number>;
  readonly record: (options: Omit<RecordOptions, "version">, io: Io) => Promise<number>;
  readonly verify: (options: VerifyOptions, io: Io) => Promise<number>;
}

/** What a program is made with. */
export interface ProgramSetup {
  readonly io: Io;
  readonly commands: Commands;
  readonly version: string;
  /** The words behind `--`, which `exec` runs. Undefined: there is no `--`. */
  readonly behindDashes?: readonly string[];
  /** Told the exit code of the command that ran. */
  readonly finished: (exitCode: number) => void;
}
