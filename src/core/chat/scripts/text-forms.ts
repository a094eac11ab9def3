/** Longer texts are not looked at for what is similar in them: each script that does not match would do so. */
const longestCompared = 20_000;

/** A text, with the forms of it that are compared to see how near two texts are. Each is made once. */
export class TextForms {
  readonly text: string;
  #lower: string | undefined;
  #composed: string | undefined;
  #spaced: string | undefined;
  #lowerSpaced: string | undefined;

  constructor(text: string) {
    this.text = text;
  }

  get isTooLong(): boolean {
    return this.text.length > longestCompared;
  }

  get lower(): string {
    return (this.#lower ??= this.text.toLowerCase());
  }

  /** With letters and their marks in one, where there is such a character (NFC). */
  get composed(): string {
    return (this.#composed ??= this.text.normalize("NFC"));
  }

  /** With one space for each run of white space. */
  get spaced(): string {
    return (this.#spaced ??= spaced(this.text));
  }

  get lowerSpaced(): string {
    return (this.#lowerSpaced ??= spaced(this.lower));
  }
}

/** A text with one space for each run of white space, and none at its ends. */
function spaced(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
