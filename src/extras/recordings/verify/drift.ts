/** One difference between what the service gives and what the emulator gives. */
export interface Drift {
  /** `status`, `header.retry-after`, `body.choices.0.message.refusal`, `stream.content.usage`, `stream.events`, `end`. */
  readonly place: string;
  /** What the service gave there, in words. Values are told only where they are compared. */
  readonly service: string;
  /** What the emulator gave there. */
  readonly emulator: string;
}

/** What stands for a place that is not there. */
export const nothingThere = "nothing";
