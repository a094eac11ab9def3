import { counted } from "../../core/errors/show.ts";
import type { Problem } from "../../core/errors/emulator-error.ts";
import { problemAt, type TextPlace } from "../../core/fixture-set/tables/table-files.ts";

/** The most problems that are listed; the rest are counted. */
const mostShown = 100;

/** Collects the problems of dumps and databases, and warnings about parts that are left out. */
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

  /** A warning for each part that was left out or is odd. */
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
   * Reports something that SQLite has and the store lacks: as a problem or, if such parts are to be left out, as a
   * warning. Reading continues without it.
   */
  unsupported(place: TextPlace, what: string, consequence = "it is left out"): void {
    if (!this.#skipUnsupported) {
      const advice = "Remove it, or use --skip-unsupported (in code: skipUnsupported)";
      return this.report(place, `${what} is not supported. ${advice}: then ${consequence}.`);
    }
    this.warn(place, `${what} is not supported: ${consequence}.`);
  }

  /** Warns of something that works, but is probably not what the user wants. */
  warn(place: TextPlace, message: string): void {
    if (this.#warnings.length < mostShown) this.#warnings.push(problemAt(place, message));
    else this.#moreWarnings++;
  }
}
