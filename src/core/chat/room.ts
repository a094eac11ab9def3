/** The room for scripts, answers and other things that are added to a running emulator. */
export interface Room {
  /** Counts an object that is to be added. Throws if there is no room for it. */
  readonly take: (added: object) => void;
}

export const anyRoom: Room = { take: () => undefined };
