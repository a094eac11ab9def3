import { counted } from "../../core/errors/show.ts";
import type { Problem } from "../../core/errors/emulator-error.ts";
import { problemAt, type TextPlace } from "../../core/fixture-set/tables/table-files.ts";

/** The most problems that are listed; the rest are counted. */
const mostShown = 100;

/** Collects what is wrong with dumps and databases, and what is left out of them. */
export class TableFileProblems {
  readonly #skipUnsupported: boolean;
  readonly problems: Problem[] = [];
  /** How many problems there are beyond the list. */
  more = 0;
  readonly #warnings: Problem[] = [];
  #moreWarnings = 0;

  constructor(skipUnsupported: boolean) {
    this.#skipUnsupported = skipUnsupported;
  }

  get none(): boolean {
    return this.problems.length === 0;
  }

  /** A warning for each thing that was left out, or is odd. */
  get warnings(): readonly Problem[] {
    if (this.#moreWarnings === 0) return this.#warnings;
    const verb = this.#moreWarnings === 1 ? "is" : "are";
    const message = `${counted(this.#moreWarnings, "more warning")} ${verb} not shown.`;
    return [...this.#warnings, { message }];
  }

  report(place: TextPlace, message: string): void {
    if (this.problems.length < mostShown) this.problems.push(problemAt(place, message));
    else this.more++;
  }

  /**
   * Reports something that SQLite has and the store lacks: a problem, or a warning where such things are to be left
   * out. Reading continues without it.
   */
  unsupported(place: TextPlace, what: string, consequence = "it is left out"): void {
    if (!this.#skipUnsupported) {
      const advice = "Remove it, or use --skip-unsupported (in code: skipUnsupported)";
      return this.report(place, `${what} is not supported. ${advice}: then ${consequence}.`);
    }
    this.warn(place, `${what} is not supported: ${consequence}.`);
  }

  /** Warns of something that can be served, but is hardly what the user wants. */
  warn(place: TextPlace, message: string): void {
    if (this.#warnings.length < mostShown) this.#warnings.push(problemAt(place, message));
    else this.#moreWarnings++;
  }
}
