import type { Command } from "commander";
import { nearestName } from "../../core/errors/nearest-name.ts";
import { exists } from "../node/fixture-place.ts";
import { nearestFixtures } from "../node/nearest-path.ts";
import type { Io } from "./io.ts";

/**
 * Refuses a word that was meant for a command. Any first word that is no command is taken for fixtures, `chekc` too.
 * One that does not exist and looks like a name rather than a path is more likely a command that was mistyped, or put
 * after the options.
 */
export function refuseMistypedCommand(
  program: Command,
  word: string,
  { cwd }: Pick<Io, "cwd">,
): void {
  if (!/^[a-z]+$/i.test(word) || exists(word, cwd)) return;
  const names = program.commands.map((command) => command.name());
  if (names.includes(word)) {
    program.error(
      `error: '${word}' comes after the options. Put the command first: backlot ${word} …`,
    );
  }
  const nearest = nearestName(word, names) ?? nearestFixtures(word, cwd);
  program.error(
    `error: unknown command '${word}', and there are no fixtures of that name${didYouMean(nearest)}`,
  );
}

/** Refuses the word behind `help` where it is no command. Commander would show the help of all. */
export function refuseUnknownHelp(program: Command, [first, word = ""]: readonly string[]): void {
  const names = [...program.commands.map((command) => command.name()), "help"];
  if (first !== "help" || word === "" || word.startsWith("-") || names.includes(word)) return;
  program.error(`error: unknown command '${word}'${didYouMean(nearestName(word, names))}`);
}

function didYouMean(nearest: string | undefined): string {
  return nearest === undefined ? "" : `\n(Did you mean ${nearest}?)`;
}
