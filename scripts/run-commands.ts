import { execSync } from "node:child_process";

/** Runs commands of this project one after the other. Ends the script with the status of the first that fails. */
export function runCommands(commands: readonly string[]): void {
  for (const command of commands) {
    try {
      execSync(command, { stdio: "inherit" });
    } catch (error) {
      const status = error instanceof Error && "status" in error ? Number(error.status) : 1;
      process.exit(status || 1);
    }
  }
}
