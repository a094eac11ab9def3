/** The room for what is added to an emulator while it runs. */
export interface Room {
  /** Counts what is to be added. Throws where there is no room for it. */
  readonly take: (added: object) => void;
}

export const anyRoom: Room = { take: () => undefined };
