/** Who waits longer for an answer is told that PostgreSQL does not answer. */
export const answerMs = 5_000;

/** What did not come in time. */
class TooLate extends Error {
  constructor(milliseconds: number) {
    super(`no answer within ${milliseconds / 1000} seconds`);
  }
}

/** Rejects where an answer takes longer. What comes of it later counts for nothing. */
export function within<Answer>(milliseconds: number, answer: Promise<Answer>): Promise<Answer> {
  return new Deadline(milliseconds).race(answer);
}

/** A time by which something has to have begun. */
export class Deadline {
  readonly #milliseconds: number;
  readonly #passed: Promise<never>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
    this.#passed = new Promise((_, reject) => {
      this.#timer = setTimeout(() => {
        this.#isOver = true;
        reject(new TooLate(milliseconds));
      }, milliseconds);
    });
    this.#passed.catch(ignore);
  }

  /** It has begun, and may take its time from now on. Throws where that is too late. */
  meet(): void {
    clearTimeout(this.#timer);
    if (this.#isOver) throw new TooLate(this.#milliseconds);
  }

  /** Gives what an act gives, unless it begins too late. */
  async race<Result>(act: Promise<Result>): Promise<Result> {
    // Where nobody waits any more, nobody is told.
    act.catch(ignore);
    try {
      return await Promise.race([act, this.#passed]);
    } finally {
      clearTimeout(this.#timer);
    }
  }
}

function ignore(): void {}
